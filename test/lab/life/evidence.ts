import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Explanation, InboxList } from '../../../src/protocol/messages.ts';
import type { Life } from './life.ts';

/** Keeps what tells why a check failed, in a folder that outlives the run; gives its path. */
export async function keepEvidence(life: Life, check: string, error: unknown): Promise<string> {
  const folder = join(root, `${life.lab.name}-${check}`);
  mkdirSync(folder, { recursive: true });
  const keep = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  keep('error.txt', error instanceof Error ? `${error.stack}\n` : `${error}\n`);
  keep('events.ndjson', lines(life.log.events));
  keep('requests.ndjson', lines(life.mock.requests.map(({ body: _, ...request }) => request)));
  keep('daemon.log', tail(join(life.box.state, 'logs', 'daemon.log')));
  const later = {
    'status.json': async () => JSON.stringify(await life.show(), undefined, 2),
    'stories.json': async () => JSON.stringify(await tellStories(life), undefined, 1),
    'screen.txt': async () => (await life.hands.look()).text,
    'scrollback.txt': async () => (await life.hands.scrollback()).slice(-keptBytes),
  };
  for (const [name, read] of Object.entries(later)) {
    keep(name, await read().catch((trouble: unknown) => `not to be had: ${trouble}\n`));
  }
  return folder;
}

const root = join(tmpdir(), `signalbox-lab-evidence-${process.pid}`);
const keptBytes = 256 * 1024;

/** What `explain --json` says of the last messages for the agent. */
async function tellStories({ box }: Life): Promise<readonly Explanation[]> {
  const { messages } = await box.ask<InboxList>(['inbox', 'list', 'lab', '--state', 'all']);
  const stories: Explanation[] = [];
  for (const { id } of messages.slice(-10)) stories.push(await box.ask(['explain', id]));
  return stories;
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function tail(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-keptBytes);
  } catch (error) {
    return `not to be had: ${error}\n`;
  }
}
