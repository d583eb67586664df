import type { Client } from '../client/client.ts';
import type { FaultView } from '../protocol/daemon.ts';
import { exitCodes, Fault } from '../shared/fault.ts';
import { hasWrittenDocument, writeError, writeJson } from './output.ts';

/** Opens the client, does the work, closes it. The only place where commands get one. */
export async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const { openClient } = await import('../client/open.ts');
  const client = await openClient(process.env, tell);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** What a person should know although the command succeeds. */
export function tell(sentence: string): void {
  writeError(`signalbox: ${oneLine(sentence)}`);
}

/**
 * One line that says what happened, to what, and what to do next; with --json the same as a
 * document on stdout.
 */
export function reportFailure(error: unknown, json: boolean): void {
  const fault = error instanceof Fault ? error : undefined;
  const said = error instanceof Error ? error.message : String(error);
  const code = fault?.code ?? 'bug';
  const message = fault ? said : `Something went wrong that should not: ${said}`;
  const next = fault?.next ?? 'Please report it; SIGNALBOX_DEBUG=1 prints where it happened.';
  process.exitCode = fault ? exitCodes[fault.code] : 1;
  writeError(...describe(code, message, next));
  if (process.env['SIGNALBOX_DEBUG'] && error instanceof Error) {
    writeError(...(error.stack ?? '').split('\n'));
  }
  // Behind a document, or half of one, there is no place for a second.
  if (!json || hasWrittenDocument()) return;
  try {
    writeJson<FaultView>({ error: { code, message, next } });
  } catch {
    // Nobody reads stdout any more; the exit code and stderr have told it.
  }
}

/** One line; what a fresh installation lacks is told in three, since each is a step to take. */
function describe(code: string, message: string, next: string): readonly string[] {
  if (code !== 'sqlite-missing') return [`signalbox: ${oneLine(message)} ${oneLine(next)}`];
  return [`signalbox: ${oneLine(message)}`, ...next.split('\n').map((line) => `  ${line}`)];
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
