import packageJson from '../../../package.json' with { type: 'json' };

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The words by which the scripts ask the program. No help lists them. */
export const askWord = '__complete';

const names = Object.keys(packageJson.bin);

/**
 * What a shell runs at every TAB. It asks the program that is being typed, with the words up to the
 * cursor, and gets one line `word<TAB>about` per offer; a line `:files` or `:folders` leaves the
 * rest to the shell. So a script stays right when the program is updated.
 */
export function writeScript(shell: Shell): string {
  return writers[shell];
}

const bash = `# bash completion for signalbox
_signalbox() {
  local word about IFS=$'\\n'
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    case "$word" in
      :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$2")) ;;
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$2")) ;;
      *) COMPREPLY+=("$(printf %q "$word")") ;;
    esac
  done < <("$1" ${askWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _signalbox ${names.join(' ')}
`;

const zsh = `#compdef ${names.join(' ')}
# zsh completion for signalbox
_signalbox() {
  local line paths
  local -a offers
  for line in "\${(@f)$("\${words[1]}" ${askWord} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :*) paths=\${line#:} ;;
      *) offers+=("\${\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#offers )) && _describe signalbox offers
  case "$paths" in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ \${funcstack[1]} == _signalbox ]]; then
  _signalbox "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _signalbox ${names.join(' ')}
fi
`;

const fish = `# fish completion for signalbox
function __signalbox_offers
  set -l line (commandline -opc)
  set -l current (commandline -ct)
  for offer in ($line[1] ${askWord} $line[2..-1] "$current" 2>/dev/null)
    switch $offer
      case :files
        __fish_complete_path $current
      case :folders
        __fish_complete_directories $current
      case '*'
        echo $offer
    end
  end
end
${names.map((name) => `complete -c ${name} -f -a '(__signalbox_offers)'`).join('\n')}
`;

const writers: Readonly<Record<Shell, string>> = { bash, zsh, fish };
