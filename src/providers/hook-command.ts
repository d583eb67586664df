import { shellWord } from '../shared/shell-word.ts';

/** What a CLI gives to a shell for one event: by it alone a provider may install a hook. */
export type HookCommand = (event: string, wish?: HookWish) => string;

export interface HookWish {
  /**
   * It does nothing where this variable is set: by it a CLI is told apart that the model started in
   * its shell.
   */
  readonly unlessSet?: string;
  /**
   * `code`: what it says stands on stderr, and it ends with 2. Without this it ends with 0, always.
   */
  readonly saysBy?: 'code';
  /**
   * It waits for something to say, by `code`. It is told which process the CLI is, by whose life it
   * knows when to end.
   */
  readonly waits?: true;
  /**
   * It waits for the answer to what the CLI asks a person, and prints it; it ends with 0. It is
   * told which process the CLI is.
   */
  readonly decides?: true;
  /**
   * The event is not known yet: whoever runs the command gives it as its argument, by a shell or
   * without one. So this is the path of a file, which lacks the guard of the others: it ends with
   * 127 where the state folder is gone. It goes to programs that people have written for it.
   */
  readonly eventFollows?: true;
}

/**
 * A running CLI keeps the text of a command for its whole life; the script may be gone by then,
 * with the state folder. To Gemini CLI 0.61.0 an exit code of 127 blocks every prompt, to Copilot
 * 1.0.102 a hook that fails denies every tool, and Claude Code 2.1.325 and Qwen Code 0.24.4 show an
 * error line per event. So the text itself looks whether the script can be run, and ends with 0
 * whatever became of it, in silence (rule 23). Every CLI runs it in a shell: only builtins stand
 * here, and no `sh -c`.
 *
 * 2 means "said" to a CLI, and is also what dash ends with when it cannot open a script that has
 * just gone. So the script says it by another number, and the shell stays to translate it: after an
 * `exec`, a state folder deleted in that moment woke the model.
 */
export function writeHookCommand(script: string, event: string, wish: HookWish = {}): string {
  const path = shellWord(script);
  const isThere = `${wish.unlessSet ? `[ -z "$${wish.unlessSet}" ] && ` : ''}[ -x ${path} ]`;
  const guard = `${isThere} || { ${drain}; exit 0; }`;
  if (wish.saysBy !== 'code' && !wish.waits) {
    const call = wish.decides ? `decide ${event} $PPID` : event;
    return `${guard}; { ${path} ${call}; } 2>/dev/null; exit 0`;
  }
  const call = wish.waits ? `wait ${event} ${saidCode} $PPID` : `${event} ${saidCode}`;
  const say = `[ $? -ne ${saidCode} ] || exit 2; exit 0`;
  return `${guard}; { ${path} ${call}; } 4>&2 2>/dev/null; ${say}`;
}

/** No shell, signal or Node ends with it by itself. */
const saidCode = 82;

/**
 * A payload that is longer than a pipe holds must be read: Claude Code 2.1.325 calls it an error if
 * nobody does.
 */
const drain = 'timeout 1 cat >/dev/null 2>&1';
