"""Who wins how often: match-ups before the flop, equities, odds."""
