#!/usr/bin/env bash
# Runs a command with a time zone and languages picked at random: nothing may depend on them.
# What was picked is printed; to repeat it, call with SURROUNDINGS='TZ LANG LC_ALL', an empty one as -.
set -euo pipefail
zones=(UTC Pacific/Apia Asia/Kathmandu America/St_Johns Pacific/Kiritimati Europe/Berlin :bogus XXX-25:61 -)
languages=(C C.UTF-8 de_DE.UTF-8 tr_TR.UTF-8 ar_EG.UTF-8 xx_YY.bogus -)
pick() { local list=("$@"); echo "${list[RANDOM % ${#list[@]}]}"; }
read -r zone language all <<< "${SURROUNDINGS:-$(pick "${zones[@]}") $(pick "${languages[@]}") $(pick "${languages[@]}")}"
echo "SURROUNDINGS='$zone $language $all'"
exec env "TZ=${zone#-}" "LANG=${language#-}" "LC_ALL=${all#-}" "$@"
