"""What a fit receives: values in memory or in chunks, behind one protocol."""
