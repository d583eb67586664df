import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageView } from '../../src/protocol/messages.ts';
import type { OpenOurs } from '../delivery/cli/ours.ts';
import { launchFakeClaude, runHook, writeStop } from '../delivery/fake-claude.ts';
import { askDaemon } from '../terminals/station.ts';

/** A child of the CLI under test: what ours sends is the end of a turn of it. */
export const openChild: OpenOurs = async ({ box, home }) => {
  const ask = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    askDaemon(box.state, { method, path, body });
  const child = await launchFakeClaude({ ask }, join(home.folder, 'child'), { parent: 'lab' });
  const client = join(box.state, 'hooks', 'post');
  // The door before the parent's hooks is none of the child's.
  const post = existsSync(`${client}.real`) ? `${client}.real` : client;
  return {
    form: { kind: 'completion', outcome: 'completed' },
    send: async (_word, body) =>
      void (await runHook(`${post} Stop`, child, writeStop(child, body))),
    idOf: async (word) => {
      const states = ['queued', 'claimed', 'injected', 'uncertain', 'seen', 'acked', 'dead'];
      const query = states.map((state) => `state=${state}`).join('&');
      const path = `/agents/lab/inbox?${query}`;
      const { messages } = await ask<{ messages: readonly MessageView[] }>('GET', path);
      return messages.find(({ body }) => body.includes(word))?.id ?? '';
    },
  };
};
