"""What a page shows of a selection beyond the selection itself, in plain values."""
