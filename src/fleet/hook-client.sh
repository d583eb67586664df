#!/bin/sh
# Takes a hook's payload (stdin) to the signalbox daemon and prints what it is told to: `post <Event>`; or waits for something
# to say, for as long as its parent lives: `post wait <Event>`; or waits for the answer to the question that its CLI asks:
# `post decide <Event>`. Written by signalbox; changes are overwritten.
#
# It never breaks the agent (rule 23). Its exit code is what the trap says: dash ends with 2 on a mistake of ours, and to a
# CLI 2 means "wake the model". Complaints of our tools go nowhere; what is to be said goes to the real stderr, 4.
#
# The command that runs it (providers/hook-command.ts) may name the code by which 2 is said to it, and has then opened 4; and behind
# that, for one that waits, the CLI, which is its own parent. Commands of CLIs that run since before an upgrade name neither, and
# there the CLI is our own parent.
code=0
trap 'exit "$code"' EXIT
case $1 in wait) said=$3 ;; decide) said= ;; *) said=$2 ;; esac
[ -n "$said" ] || exec 4>&2
exec 2>/dev/null
LC_ALL=C
umask 077

# What the CLI writes is read, also where nobody wants it: Claude Code 2.1.325 calls it an error otherwise.
drain() { timeout 0.5 cat >/dev/null; }

[ -n "$SIGNALBOX_TOKEN" ] && [ -n "$SIGNALBOX_SOCKET" ] || { drain; exit 0; }
newline='
'
report=

# Whether the socket, its folder and all above are of this user or of the system, and nobody else can change them: else somebody
# else may listen there, who would get the token. The rules of shared/own-path.ts, with one process (2 ms). What is not understood,
# such as a name with a newline in it, is a no. Which groups are this user's alone the daemon has found out, since a shell cannot:
# their numbers stand in own_groups. A plus sign behind a mode is an access list: its bits of the group hold for everybody on it.
own_groups=' @GROUPS@ '
is_ours() {
  [ -S "$SIGNALBOX_SOCKET" ] && [ ! -L "$SIGNALBOX_SOCKET" ] && [ -O "$SIGNALBOX_SOCKET" ] || return 1
  folder=$(cd -P -- "${SIGNALBOX_SOCKET%/*}" && pwd -P) && [ -n "$folder" ] && [ -O "$folder" ] || return 1
  set -- / "$SIGNALBOX_SOCKET"
  # As it is spelled, with the links in it, and as it is.
  for at in "${SIGNALBOX_SOCKET%/*}" "$folder"; do
    while [ -n "$at" ]; do
      set -- "$@" "$at"
      at=${at%/*}
    done
  done
  seen=$(LC_ALL=C ls -ldn -- "$@") || return 1
  me=
  while read -r mode _ uid gid rest; do
    case $mode:$rest in
    s*) me=$uid ;;
    d*' /') root=$uid root_group=$gid ;;
    esac
  done <<EOF
$seen
EOF
  [ -n "$me" ] || return 1
  while read -r mode _ uid gid rest; do
    case $uid in "$me" | "$root" | 0) ;; *) return 1 ;; esac
    case $mode:$rest in
    s???------*) continue ;;
    l*) continue ;;
    d???--[-S]--[-T]*" $folder") continue ;;
    d*" $folder") return 1 ;;
    d????????[tT]*) continue ;;
    d???????w*) return 1 ;;
    d????w????+*) return 1 ;;
    d????w*) case "$own_groups 0 $root_group " in *" $gid "*) ;; *) return 1 ;; esac ;;
    d*) ;;
    *) return 1 ;;
    esac
  done <<EOF
$seen
EOF
}

# ask <seconds> <path>: posts stdin, prints the answer, a colon and curl's exit code. The token is given by a file descriptor:
# other users may read the arguments of our processes. The payload is streamed, so that curl's deadline counts from the start.
ask() {
  if ! command -v curl >/dev/null; then
    # It looks at the socket itself, and ends as curl does.
    @FALLBACK@ ask "$1" "$2" "$report" 4>&-
    printf ':%s' "$?"
    return
  fi
  is_ours || { printf ':7'; return; }
  curl -q -s -f -m "$1" --noproxy '*' --unix-socket "$SIGNALBOX_SOCKET" -K /dev/fd/3 -X POST -T - \
    -H 'Content-Type: application/json' -H 'Expect:' "http://localhost/hooks/$2" 3<<EOF 4>&-
header = "Authorization: Bearer $SIGNALBOX_TOKEN"
header = "X-Signalbox-Report: $report"
EOF
  printf ':%s' "$?"
}

# All of stdin, unless whoever writes it does not end it.
read_payload() {
  if command -v timeout >/dev/null; then payload=$(timeout 0.5 cat); else payload=$(cat); fi
}

# say <answer>: prints it, once the daemon has confirmed that it still holds (rule 16).
say() {
  head=${1%%"$newline"*}
  text=${1#*"$newline"}
  id=${head%% *}
  stream=${head#* }
  exit_code=${stream#* }
  stream=${stream%% *}
  case $id in '' | *[!A-Za-z0-9_]*) return 1 ;; esac
  case $exit_code in '' | *[!0-9]*) return 1 ;; esac
  [ "$(ask 0.3 "confirm/$id" </dev/null)" = go:0 ] || return 1
  case $stream in
  stdout) printf '%s' "$text" || return 1 ;;
  stderr) printf '%s' "$text" >&4 || return 1 ;;
  *) return 1 ;;
  esac
  code=$exit_code
  [ "$code" != 2 ] || code=${said:-2}
}

# is_child <process> <parent>
is_child() {
  if [ -r /proc/self/stat ]; then
    read -r stat <"/proc/$1/stat" || return 1
    stat=${stat##*) }
    stat=${stat#* }
    [ "${stat%% *}" = "$2" ]
  else
    [ "$(ps -o ppid= -p "$1" | tr -d ' ')" = "$2" ]
  fi
}

# Nobody has taken over an orphan: neither us, nor the shell between the CLI and us. `$PPID` itself never changes.
has_parent() { is_child $$ "$PPID" && { [ "$cli" = "$PPID" ] || is_child "$PPID" "$cli"; }; }

# More than 20 wakes of one life within a minute would be a loop: then the next one waits.
wakes=@RUN_FOLDER@/$SIGNALBOX_AGENT-$SIGNALBOX_EPOCH/wakes
count_wakes() {
  now=$(date +%s)
  since=0 count=0
  [ -r "$wakes" ] && read -r since count <"$wakes"
  case $since:$count in :* | *: | *[!0-9:]*) since=0 count=0 ;; esac
  [ "$now" -ge "$since" ] && [ "$((now - since))" -lt 60 ] || since=$now count=0
}

note_wake() {
  count_wakes
  [ -d "${wakes%/*}" ] && printf '%s %s\n' "$since" "$((count + 1))" >"$wakes"
}

wait_for_words() {
  cli=$1
  read_payload
  pause=1
  # Without this file signalbox is gone from here, and nobody will come back. Without `sleep` it would never rest.
  while has_parent && [ -x "$0" ]; do
    count_wakes
    [ "$count" -lt 20 ] || sleep "$((60 - (now - since)))" || return
    answer=$(printf '%s' "$payload" | ask 60 "wait?pid=$cli&hook=$$")
    case $answer in
    dismissed:0) return ;;
    *:0)
      pause=1
      if [ "$answer" != :0 ] && has_parent && say "${answer%:*}"; then
        note_wake
        return
      fi
      sleep 0.1 || sleep 1 || return
      ;;
    *)
      # The daemon is gone, or does not see the agent: it will be back.
      sleep "$pause" || return
      pause=$((pause * 2))
      [ "$pause" -le 30 ] || pause=30
      ;;
    esac
  done
}

# The CLI shows its dialog meanwhile, and what a person answers there counts. Whatever goes wrong, it ends without a word, and the
# dialog stays (rule 23).
hold_question() {
  cli=$1
  read_payload
  pause=1 lost=0
  while has_parent && [ -x "$0" ]; do
    answer=$(printf '%s' "$payload" | ask 60 "decide?pid=$cli&hook=$$")
    [ "${answer##*:}" != 0 ] || lost=0
    case $answer in
    # Closed, or no question to be held; or a daemon of an earlier version, which takes it for an event.
    dismissed:0 | '{'*) return ;;
    *:0)
      pause=1
      if [ "$answer" != :0 ] && has_parent && say "${answer%:*}"; then return; fi
      sleep 0.1 || sleep 1 || return
      ;;
    *)
      # The daemon is gone, or does not see the agent yet. A person may wait for the next one, but not for
      # ever: answered at the terminal meanwhile, the CLI says nothing, and each question would leave a process.
      lost=$((lost + pause))
      [ "$lost" -le 120 ] && sleep "$pause" || return
      pause=$((pause * 2))
      [ "$pause" -le 5 ] || pause=5
      ;;
    esac
  done
}

# What must not be lost is written to the ledger itself. On its own: nobody waits for it, and it survives the terminal.
commit() {
  [ -n "$kept" ] || return
  (
    trap '' HUP
    printf '%s' "$payload" | @FALLBACK@ commit "$1" "$report"
  ) </dev/null >/dev/null 4>&- &
}

post() {
  kept=
  # The name of this call, with the second it was made in: what the daemon wrote down and could not answer is not written twice.
  case $1 in *[Ss]top* | AfterAgent | *[Ee]rror* | UserPromptSubmit)
    kept=yes
    report=$(date +%s)-$$
    read_payload
    ;;
  esac
  if [ ! -S "$SIGNALBOX_SOCKET" ]; then
    commit "$1"
    [ -n "$kept" ] || drain
  else
    answer=$(if [ -n "$kept" ]; then printf '%s' "$payload" | ask 0.6 "$1"; else ask 0.6 "$1"; fi)
    case $answer in
    :0 | *:22) ;;
    # It is at work on it, or failed at it; should it die now, nobody else would know. It is the same report, told twice.
    '{"outcome":"late"'*:0 | '{"outcome":"ignored","reason":"failed"'*:0) commit "$1" ;;
    # Longer than it takes, and the end of a turn all the same.
    '{"outcome":"ignored","reason":"too-large"'*:0) commit "$1" ;;
    *:0) say "${answer%:*}" ;;
    *) commit "$1" ;;
    esac
    # It was refused, or nobody was there, before all of it was read.
    [ -n "$kept" ] || [ "$answer" = :0 ] || drain
  fi
}

case $1 in
wait) wait_for_words "${4:-$PPID}" ;;
decide) hold_question "${3:-$PPID}" ;;
*) post "$1" ;;
esac
