#!/usr/bin/env bash
# Runs the example of docs/releases.md, two hospitals with common patients, in a new folder.
#
#     examples/two-hospitals/run.sh FOLDER      uses the program `indistinct`, or the path in INDISTINCT
set -euo pipefail
program=${INDISTINCT:-indistinct}
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
cd "$1"

# Runs the program; an exit status of 1 is a valid answer.
run() {
  printf '\n$ indistinct %s\n' "$*"
  status=0
  "$program" --quiet "$@" || status=$?
  echo "(exit status $status)"
  [ "$status" -le 1 ]
}

# 6,000 patients; 2,000 of them are in both hospitals.
"$program" --quiet generate hospital --rows 6000 --seed 7 -o region.csv >/dev/null
{ head -n 1 region.csv; sed -n '2,4001p' region.csv; } >city.csv
{ head -n 1 region.csv; sed -n '2002,6001p' region.csv; } >county.csv
cp "$here/city.toml" "$here/county.toml" .

echo "== 1. Each hospital on its own"
grep -v '^\(minimum\|population\|\[linkage\]\)' city.toml >city-alone.toml
grep -v '^\(minimum\|population\|\[linkage\]\)' county.toml >county-alone.toml
run anonymize city-alone.toml -o city
run anonymize county-alone.toml -o county
run link city county --original city.csv --original county.csv --minimum l=3

echo
echo "== 2. With a ledger: the county's release is linked with the city's before it is written"
run ledger init hospitals.ledger
run anonymize city.toml -o city-in-ledger --ledger hospitals.ledger
run anonymize county.toml -o county-in-ledger --ledger hospitals.ledger
run ledger list hospitals.ledger

echo
echo "== 3. By a plan, made before the data"
# The region has the data of the previous year. This year has new combinations of age, sex, and zip code.
mkdir earlier
"$program" --quiet generate hospital --rows 6000 --seed 6 -o earlier/last-year.csv >/dev/null
sed 's/"city.csv"/"earlier\/last-year.csv"/' city.toml >last-year.toml
run plan last-year.toml --l 3 --releases 2 --total-failure 0.01 --rows 4000 --all-combinations --domain age=0..110 -o plan.toml
planned='method = "planned"\nplan = "plan.toml"\ngeneralize_to = "bounds"'
sed "s/method = .*/$planned/" city-alone.toml >city-planned.toml
sed "s/method = .*/$planned/" county-alone.toml >county-planned.toml
run anonymize city-planned.toml -o city-planned
run anonymize county-planned.toml -o county-planned
run link city-planned county-planned --original city.csv --original county.csv --minimum l=3
