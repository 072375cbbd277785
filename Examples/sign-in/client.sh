#!/bin/sh
# Registers a key and signs in with it, with curl and openssl:  client.sh ORIGIN ACCOUNT,  the password on standard input.
# See docs/developers/sign-in.md. It keeps nothing: a client that stays would keep its key, and sign in with that the next time.
set -eu
origin=$1 account=$2
IFS= read -r password || [ -n "$password" ]
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
# Text as JSON has it between its quotes.
escaped() { sed 's/[\\"]/\\&/g' | awk '{ printf "%s%s", between, $0; between = "\\n" }'; }
# One text of the JSON on standard input; ours have nothing in them that is escaped.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# Sends standard input, with that token if there is one. A token in a file isn't seen by others who list processes; it is a new file,
# because the two ends of a pipe may both be calling.
call() {
    header=$(mktemp "$work/header.XXXXXX")
    echo "Authorization: Bearer ${3:-}" >"$header"
    curl --silent --show-error --fail --request "$1" --header "@$header" --header 'Content-Type: application/json' \
        --data-binary @- "$origin$2"
}

openssl ecparam -name prime256v1 -genkey -noout -out "$work/key.pem"
openssl ec -in "$work/key.pem" -pubout -outform DER -out "$work/public.der" 2>"$work/words"
device=$(openssl dgst -sha256 -binary "$work/public.der" | base64url)

# What is signed stands in $work/statement; prints the two members that prove it.
signed() {
    challenge=$(printf '{"account":"%s","purpose":"%s"}' "$(printf %s "$account" | escaped)" "$1" | call POST /v1/challenges | member challenge)
    printf 'thumbturn sign-in 1\norigin %s\naccount %s\npurpose %s\nchallenge %s\ndevice %s\n' \
        "$origin" "$account" "$1" "$challenge" "$device" >"$work/statement"
    printf '"statement":"%s\\n","signature":"%s"' "$(escaped <"$work/statement")" \
        "$(openssl dgst -sha256 -sign "$work/key.pem" "$work/statement" | base64url)"
}

token=$(printf '{"account":"%s","password":"%s"}' "$(printf %s "$account" | escaped)" "$(printf %s "$password" | escaped)" |
    call POST /v1/sessions | member token)
printf '{"key":"%s","name":"a key in a file",%s}' "$(base64url <"$work/public.der")" "$(signed register)" |
    call POST /v1/devices "$token" >"$work/registered"
token=$(printf '{%s}' "$(signed sign-in)" | call POST /v1/sign-ins | member token)
call GET /v1/session "$token" </dev/null
echo
