request() {
  curl -s -o response.json -H 'Content-Type: application/json' localhost:8000/v1/completions \
    -d '{"model": "servelens/simulated-8b", "prompt": "Hello", "max_tokens": 16}'
}
for i in 1 2 3 4 5; do request; done
servelens mark profiling-start
for i in 1 2 3 4 5 6 7 8 9 10; do request; done
servelens mark profiling-end
for i in 1 2 3; do request; done
