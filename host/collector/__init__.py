"""The host's radio protocol, and the carriers that transport it; imports event, keys and below."""
