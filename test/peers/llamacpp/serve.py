"""Serves a GGUF file on loopback with the server of llama.cpp, with its metrics: serve.py FILE NAME PORT."""

import signal
import sys

import xllamacpp

SLOTS = 4
CONTEXT = 4096

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.model_alias = {sys.argv[2]}
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[3])
parameters.n_parallel = SLOTS
parameters.n_ctx = SLOTS * CONTEXT
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.endpoint_metrics = True
server = xllamacpp.Server(parameters)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
