/** An example of a run file, which `servelens config init` writes. */
export const EXAMPLE_RUN_FILE = `# A run of servelens profile, in the schema of AIPerf:
#   servelens config check FILE     find mistakes
#   servelens config expand FILE    show the plan and the command line
#   servelens profile --config FILE
# Options on the command line take precedence over this file.
schemaVersion: "2.0"

# The seed of prompts, arrivals and cancellations. Omit it for a new seed in each run.
randomSeed: 42

# Values that {{ }} in this file can refer to.
variables:
  concurrency: 8

benchmark:
  # \${NAME:default} is replaced with an environment variable.
  model: \${MODEL:my-model}

  endpoint:
    url: \${URL:http://localhost:8000}
    type: chat
    streaming: true
    timeout: 600
    # apiKey: \${API_KEY}

  # The prompts. Use {type: file, path: prompts.jsonl} to send your own.
  dataset:
    type: synthetic
    entries: 100
    prompts:
      isl: {mean: 512, stddev: 50}
      osl: 128

  # Results exclude the warm-up.
  warmup:
    type: concurrency
    concurrency: "{{ concurrency }}"
    requests: "{{ concurrency * 2 }}"

  # Types: concurrency, poisson, gamma and constant (with rate), fixed_schedule.
  profiling:
    type: concurrency
    concurrency: "{{ concurrency }}"
    duration: 60s
    gracePeriod: 30s

  # Limits that a request must meet to count toward goodput, in milliseconds.
  slos:
    time_to_first_token: 500

  artifacts:
    dir: ./artifacts/example
    sliceDuration: 10s

  serverMetrics:
    enabled: true
    formats: [json, csv, parquet]

# Several runs of the same benchmark, for confidence intervals.
# multiRun:
#   numRuns: 3
#   cooldownSeconds: 10

# One run for each value.
# sweep:
#   type: grid
#   parameters:
#     concurrency: [1, 2, 4, 8, 16]

# Metrics endpoints with credentials, TLS settings or limits; not in the schema of AIPerf.
# targets:
#   - url: https://localhost:8001
#     bearer_token_file: token
`;
