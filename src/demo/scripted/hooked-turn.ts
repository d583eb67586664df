import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import type { Turn, Work } from './turn.ts';

/** Says what to run for a hook: `hooks: env` in config.yaml. */
const variable = 'SIGNALBOX_HOOK_COMMAND';
/** A hook that takes longer is left behind, as the CLIs do. */
const patienceMs = 5000;

export interface HookedParts {
  readonly env: NodeJS.ProcessEnv;
  /** What a text means that a hook has put into the turn. */
  readonly interpret: (text: string) => Work;
  /** The hook has taken the end of the turn, with these last words. */
  readonly onStop?: (text: string) => void;
}

/**
 * Turns as a CLI with hooks takes them: UserPromptSubmit before, Stop or StopFailure after, and on
 * with what Stop has said. One that a person interrupted has no Stop. Without a hook command the
 * work is what it was.
 */
export function hookTurns(parts: HookedParts): (prompt: string, work: Work) => Work {
  const command = parts.env[variable];
  if (!command) return (_, work) => work;
  const session = randomUUID();
  const post = (event: string, payload: Json): Promise<string> =>
    runHook(`${command} ${event}`, JSON.stringify({ hook_event_name: event, ...payload }), parts);
  return (prompt, work) => async (turn) => {
    const names = { session_id: session, prompt_id: randomUUID() };
    await post('UserPromptSubmit', { ...names, prompt });
    for (let next = work, isContinued = false; ; isContinued = true) {
      let said = '';
      const end = await next(listen(turn, (text) => (said = text)));
      if (end.outcome === 'failed') {
        await post('StopFailure', {
          ...names,
          error: 'server_error',
          last_assistant_message: end.why,
        });
      }
      if (end.outcome !== 'done') return end;
      const payload = { ...names, stop_hook_active: isContinued, last_assistant_message: said };
      const context = readContext(await post('Stop', payload));
      parts.onStop?.(said);
      if (context === undefined) return { outcome: 'done' };
      turn.note(context);
      next = parts.interpret(context);
    }
  };
}

function listen(turn: Turn, onSay: (text: string) => void): Turn {
  return {
    ...turn,
    say: (text) => {
      onSay(text);
      turn.say(text);
    },
  };
}

/** What it printed. Whatever goes wrong with it is nothing to the turn. */
function runHook(command: string, payload: string, { env }: HookedParts): Promise<string> {
  return new Promise((done) => {
    const hook = spawn('sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let out = '';
    const timer = setTimeout(() => hook.kill('SIGKILL'), patienceMs);
    hook.stdin.on('error', () => undefined);
    hook.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    hook.on('error', () => done(''));
    hook.on('close', (code) => {
      clearTimeout(timer);
      done(code === 0 ? out : '');
    });
    hook.stdin.end(payload);
  });
}

function readContext(printed: string): string | undefined {
  return asText(asObject(parseObject(printed)?.['hookSpecificOutput'])['additionalContext']);
}
