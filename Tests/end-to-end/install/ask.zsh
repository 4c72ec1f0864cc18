# Prints what zsh offers at the end of a line: its own completion runs at a terminal of its own, as the Tab key starts it,
# and every match that it adds is written down.
# usage: zsh -f ask.zsh FOLDER LINE
zmodload zsh/zpty zsh/system
typeset -x ASK_FOLDER=$1 ASK_FILE=$(mktemp)
cat > $ASK_FILE.rc << 'END'
PROMPT=
unset zle_bracketed_paste
fpath=($ASK_FOLDER $fpath)
autoload -Uz compinit && compinit -D -u
bindkey '^I' complete-word
compadd() {
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    local -a hits
    builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- $hits >> $ASK_FILE
  fi
  builtin compadd "$@"
}
finish() { mv $ASK_FILE $ASK_FILE.done }
comppostfuncs=(finish)
END
: > $ASK_FILE
zpty -b asked zsh -f -i
zpty -w asked "source $ASK_FILE.rc; print ready to be asked"
for try in {1..100}; do
  zpty -r -t asked output && [[ $output == *"ready to be asked"*"ready to be asked"* || $output == ready* ]] && break
  sleep 0.05
done
zpty -w -n asked "$2"$'\t'
for try in {1..100}; do
  [[ -e $ASK_FILE.done ]] && break
  zpty -r -t asked output
  sleep 0.05
done
[[ -e $ASK_FILE.done ]] && cat $ASK_FILE.done
zpty -d asked
rm -f $ASK_FILE $ASK_FILE.rc $ASK_FILE.done
