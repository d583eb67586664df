import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProviders } from '../../src/config/providers.ts';
import type { OutputView } from '../../src/protocol/terminals.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/**
 * A program of one's own that takes signalbox's tools and hooks from its environment, by the real
 * daemon, proxy and hook client.
 */
describe.runIf(hasTmux)('a described provider with `tools: env` and `hooks: env`', () => {
  test('rules 19, 26, 30: it calls tools, its turn ends by its hook, and its last words are the answer', async () => {
    const station = await openStation({ hasTools: true });
    await station.launch('ada');
    const task = '@@tool list_agents {} @@say the word is amber-4711';
    const answered = await station.ask<Answered>('handoff', 'ada', task);
    expect(answered).toMatchObject({ outcome: 'answered' });
    expect(answered.message?.body).toBe('the word is amber-4711');
    const screen = await readScreen(station, 'ada');
    expect(screen).toMatch(/◆ list_agents \{\}\n +→ ada \(you\)/);
    expect(await station.agent('ada')).toMatchObject({
      routes: ['turn-boundary', 'mid-turn', 'paste', 'pull'],
    });
  });

  test('rule 19: what waits at the end of its turn is put into that turn by its hook', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ hasTools: true });
    await station.launch('ada');
    const { pane } = await station.pane('ada');
    // A hook waits 600 ms for the daemon (rule 23). On a busy machine that can pass, and the
    // message is then pasted after the turn, as it should be; that says nothing about the hook's
    // way, so another round is taken.
    const rounds = await playUntilHooked(5, async (round) => {
      await station.ask('send', 'ada', `@@ask permission go on @@say first-${round}`);
      // Its turn lasts until a person has answered.
      await station.untilStatus('ada', 'waiting');
      const { id } = await station.ask<{ id: string }>('send', 'ada', `@@say second-${round}`);
      await station.tmux('send-keys', '-t', pane, 'Enter');
      const said = await waitForText(station, 'ada', new RegExp(`● second-${round}`));
      expect(said.indexOf(`● first-${round}`)).toBeLessThan(said.indexOf(`● second-${round}`));
      await station.untilStatus('ada', 'completed');
      const { attempts } = await station.ask<Explained>('explain', id);
      return attempts.map(({ route }) => route).join();
    });
    expect(rounds.at(-1)).toBe('turn-boundary');
  });

  test('a tool that does not exist, and a daemon that is gone, are results that it can read', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ hasTools: true });
    const { control } = await station.launch('ada');
    expect(await control.tell('@@tool nothing_such {} @@say still here')).toBe('ok');
    await station.killDaemon();
    expect(await control.tell('@@tool list_agents {}')).toBe('ok');
    // This starts another.
    const screen = await readScreen(station, 'ada');
    expect(screen).toMatch(/◆ list_agents \{\}\n +✗ The signalbox daemon does not run/);
    expect(screen).toMatch(/◆ nothing_such \{\}\n +✗ There is no tool/);
    expect(screen).toContain('● still here');
  });
});

test('anything but `env` is refused with its place', async () => {
  const home = tempHome();
  const config = { providers: { mine: { command: 'mine', hooks: true } } };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
  const loaded = loadProviders({ config: home, state: home });
  await expect(loaded).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('providers.mine.hooks'),
  });
});

interface Answered {
  readonly outcome: string;
  readonly message?: { readonly body: string };
}

interface Explained {
  readonly attempts: readonly { readonly route: string }[];
}

/** Rounds until one went by the hook. */
async function playUntilHooked(
  max: number,
  play: (round: number) => Promise<string>,
): Promise<string[]> {
  const routes: string[] = [];
  while (routes.length < max && routes.at(-1) !== 'turn-boundary') {
    routes.push(await play(routes.length));
  }
  return routes;
}

async function readScreen(station: Station, name: string): Promise<string> {
  return (await station.ask<OutputView>('output', name, '--full')).text;
}

async function waitForText(station: Station, name: string, text: RegExp): Promise<string> {
  let screen = '';
  await waitUntil(String(text), async () => {
    screen = await readScreen(station, name);
    return text.test(screen);
  });
  return screen;
}
