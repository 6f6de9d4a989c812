#!/usr/bin/env bash
# Checks a run, and appends its summary to the summary of the job. The script of action.yml.
#
# Environment: RUN, the folder of the run; BASELINE, the folder of an earlier run, or empty; RULES, a file with rules, or
# empty; ASSERT, rules, one per line, or empty; SERVELENS, the command. GitHub sets GITHUB_STEP_SUMMARY.
# Exits with the exit code of "servelens read check", or with 2 if the run or the baseline cannot be read.
set -uo pipefail

read -r -a servelens <<<"${SERVELENS:-servelens}"

# Runs a command whose output belongs to the summary.
summarize() {
  local text code
  text=$("${servelens[@]}" read "$@" --markdown)
  code=$?
  printf '%s\n\n' "$text" >>"$GITHUB_STEP_SUMMARY"
  return "$code"
}

checks=()
if [ -n "${RULES:-}" ]; then checks+=(--rules "$RULES"); fi
while IFS= read -r rule; do
  if [ -n "$rule" ]; then checks+=(--assert "$rule"); fi
done <<<"${ASSERT:-}"

summarize summary "$RUN" || exit
if [ -n "${BASELINE:-}" ]; then summarize compare "$BASELINE" "$RUN" || exit; fi
if [ ${#checks[@]} -eq 0 ]; then exit 0; fi
if [ -n "${BASELINE:-}" ]; then checks+=(--baseline "$BASELINE"); fi
# Annotations appear in the log and beside the lines of the file with rules.
"${servelens[@]}" read check "$RUN" "${checks[@]}" --github
