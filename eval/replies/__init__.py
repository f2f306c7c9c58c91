"""Replies, compared blind and checked automatically. The plan (target and move) is the annotated one, so that only the words differ."""
