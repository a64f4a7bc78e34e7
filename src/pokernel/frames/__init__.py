"""Doors for hands that live in Arrow memory, data frames and SQL; each room needs the extra of its name.

``arrow`` is the one that works; the others hand their columns to it.
"""
