import type { AgentView } from '../../src/protocol/agents.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import type { Life } from '../../test/lab/life/life.ts';
import { waitForRest } from '../delivery/cli/wait-for-rest.ts';
import { askDaemon } from '../terminals/station.ts';
import { modelRests } from './model-rest.ts';
import type { Seat } from './tool.ts';

/**
 * An agent of signalbox: the life's own, which ends with it. Another agent writes to it over the
 * daemon's socket.
 */
export async function openOurs(life: Life): Promise<Seat> {
  const { id } = await life.box.ask<AgentView>(['agents', 'add', 'peer']);
  return {
    tool: 'signalbox',
    cwd: life.home.cwd,
    hands: life.hands,
    prompt: async (text) =>
      (await life.box.timeAsUser<SendResult>(['send', 'lab', text])).startedAt,
    notice: async (text) => {
      const startedAt = Date.now();
      const body = { to: 'lab', body: text };
      const asked = { method: 'POST', path: '/messages', body, agent: id };
      await askDaemon<SendResult>(life.box.state, asked);
      return startedAt;
    },
    rests: async () => {
      await modelRests(life.mock);
      await waitForRest(life, { needsComposer: false, quietMs: 400 });
    },
  };
}
