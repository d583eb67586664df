import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentStatus } from '../../src/agents/agent.ts';
import { openDelivery } from '../../src/delivery/open-delivery.ts';
import { whileItRuns } from '../../src/fleet/while-it-runs.ts';
import { describeBroken } from '../../src/messages/describe-wait.ts';
import { openEvidence } from '../../src/providers/opencode/evidence.ts';
import { openNative } from '../../src/providers/opencode/native.ts';
import type { Evidence, NativeRoute } from '../../src/providers/way-in.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openFakeAppServer } from '../fakes/app-server.ts';
import { fakeAgentId as agent, FakeDelivery } from '../fakes/delivery.ts';
import { FakeOpenCode } from '../fakes/opencode-server.ts';
import { first, idle, openCodexLife, user } from '../support/codex-life.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Rule 53. */
const backMs = 15_000;
const statuses: readonly AgentStatus[] = ['idle', 'processing', 'unknown'];

/** The real engine on the real clock, with a provider's real way in. */
async function openEngine() {
  const fake = await FakeDelivery.open();
  const { surroundings } = fake.parts;
  const delivery = openDelivery({
    ...fake.parts,
    surroundings: { ...surroundings, clock: systemClock },
  });
  onTestFinished(() => delivery.close());
  const attach = (status: AgentStatus, native: NativeRoute, evidence: Evidence): void => {
    const ways = { routes: ['native', 'pull'], nativeDuring: ['processing', 'waiting'] } as const;
    const view = () => ({ status, composer: 'empty', atRestSince: 0 }) as const;
    const way = whileItRuns(native, { pid: 0, startedAt: '' });
    delivery.attach(fake.recipient({ native: way, evidence, ways, view }));
  };
  const send = async (body: string): Promise<string> => {
    const { id } = await fake.send({ body });
    delivery.look(agent);
    return id;
  };
  const isIn = (id: string) =>
    waitUntil('the message', async () => (await fake.find(id)).state === 'injected', backMs);
  const isBroken = (said: RegExp) =>
    waitUntil(
      'a word of it',
      () => {
        const broken = delivery.broken(agent);
        return broken && said.test(describeBroken(broken));
      },
      backMs,
    );
  return { delivery, attach, send, isIn, isBroken };
}

describe('rule 53: connections to OpenCode’s server are cut, and come back', () => {
  test.each(sweepList(statuses))('while it is %s', async (status) => {
    const { delivery, attach, send, isIn, isBroken } = await openEngine();
    const server = await FakeOpenCode.open('oc_secret');
    onTestFinished(() => server.close());
    server.sessions.set('ses_a', { id: 'ses_a', time: { updated: 0 } });
    const runFolder = tempHome();
    const write = (name: string, content: object): void =>
      writeFileSync(join(runFolder, name), JSON.stringify(content));
    write('server.json', { hostname: '127.0.0.1', port: server.port, password: 'oc_secret' });
    write('shown.json', { view: 'session', session: 'ses_a' });
    const rest = { agent, pid: 1, cwd: '/srv/app', startedAt: 0, version: '1.18.33', env: {} };
    const life = {
      current: () => ({ ...rest, runFolder, conversation: 'ses_a' }),
      changed: () => delivery.look(agent),
    };
    const [native, evidence] = [openNative(life), openEvidence(life)];
    onTestFinished(() => {
      native.close();
      evidence.close();
    });
    attach(status, native, evidence);
    await waitUntil('the way in', () => native.blocked() === undefined);

    server.cut();
    const id = await send('over a cut wire');
    await isBroken(/^it cannot be woken: OpenCode's server does not answer$/);
    expect(server.posts).toEqual([]);

    server.mend();
    await isIn(id);
    expect(delivery.broken(agent)).toBeUndefined();
    const copies = server.posts.filter(({ body }) =>
      JSON.stringify(body).includes('over a cut wire'),
    );
    expect(copies).toHaveLength(1);
  });
});

describe('rule 53: our link to Codex’s app-server is cut', () => {
  async function openCodex(status: AgentStatus) {
    const engine = await openEngine();
    const codex = await openCodexLife({ changed: () => engine.delivery.look(agent) });
    await waitUntil('the way in', () => codex.native.blocked() === undefined);
    engine.attach(status, codex.native, codex.evidence);
    return { ...engine, ...codex };
  }

  test.each(statuses)('alone, while it is %s: it is made again', async (status) => {
    const { server, native, send, isIn } = await openCodex(status);
    server.cut();
    await waitUntil('the loss', () => native.blocked()?.includes('not connected'));
    await isIn(await send('over a cut wire'));
    expect(server.queues.get(first)).toHaveLength(1);
  });

  test('with the server, which another one replaces: that is said until then', async () => {
    const { server, path, delivery, send, isIn, isBroken } = await openCodex('idle');
    await server.close();
    const id = await send('over a cut wire');
    await isBroken(/^it cannot be woken: .*not connected/);
    const again = await openFakeAppServer(path);
    onTestFinished(() => again.close());
    again.threads.set(first, { ...user, id: first, status: idle });
    await isIn(id);
    expect(delivery.broken(agent)).toBeUndefined();
    expect(again.queues.get(first)).toHaveLength(1);
  });
});
