"""Where blocks are worked on: the same map, on threads or on a cluster."""
