"""The neighbours' tasks (ESConv, MELD, MPDD): the same embedding and the same kind of head, supervised on their own training split."""
