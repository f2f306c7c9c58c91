"""Load: what a room costs beside the engine's own work, how many it holds, and whether memory grows.

`make bench` prints the figures with the aims beside them, `make soak` runs on.
"""
