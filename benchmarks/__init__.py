"""Measurements of pokernel, its yardsticks and its peers. ``README.md`` says how to run them."""
