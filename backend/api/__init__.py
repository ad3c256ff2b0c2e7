"""The HTTP face of the service, one module for each thing that can be asked."""
