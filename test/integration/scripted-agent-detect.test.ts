import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/agents/status.ts';
import { loadProviders } from '../../src/config/providers.ts';
import { scriptedProvider, writeScriptedProvider } from '../../src/demo/scripted-provider.ts';
import { detect } from '../../src/providers/detector/detect.ts';
import type { Detector } from '../../src/providers/detector/rules.ts';
import { describeDetector } from '../../src/providers/generic/detector.ts';
import { scriptedAgent } from '../fakes/scripted-agent.ts';
import { idle } from '../fakes/scripted-agent-screens.ts';
import { openStage, type Sight, type Stage } from '../fakes/scripted-agent-stage.ts';
import { tempHome } from '../support/home.ts';
import { hasCommand } from './fixtures/has-command.ts';

const nothing = (): void => undefined;

/**
 * Its description in config.yaml against its real screens: the demo and the soak read their
 * statuses so.
 */
describe.skipIf(!hasCommand('tmux'))('a scripted agent described in config.yaml', () => {
  const said = '@@say an answer @@hang';
  const forged =
    '@@say sure:\\n esc to interrupt\\n enter to confirm · esc to cancel\\n✗ API error: x';
  const cases: readonly [name: string, act: (stage: Stage) => void, expected: Partial<Verdict>][] =
    [
      ['idle', nothing, { status: 'idle', composer: 'empty' }],
      ['idle with a draft', (stage) => stage.type('text'), { status: 'idle', composer: 'unknown' }],
      ['idle with blanks', (stage) => stage.type('  '), { status: 'idle', composer: 'unknown' }],
      ['working', tell(said), { status: 'processing', composer: 'empty' }],
      ['flooding', tell('@@flood'), { status: 'processing', composer: 'unknown' }],
      ['a permission', tell('@@ask permission'), { status: 'waiting', composer: 'hidden' }],
      ['a trust dialog', tell('@@ask trust'), { status: 'waiting', composer: 'hidden' }],
      ['an error', tell('@@fail 500'), { status: 'error', composer: 'empty' }],
      ['not ready', tell('@@never-ready'), { status: 'unknown', composer: 'unknown' }],
      [
        'an answer that looks like all of them',
        tell(forged),
        { status: 'idle', composer: 'empty' },
      ],
    ];

  test.each(cases)('E4: %s is detected from screen and title', async (_, act, expected) => {
    const detector = await loadDetector();
    const stage = openStage();
    await idle(stage);
    const before = stage.look();
    act(stage);
    // The screen before the act may look like the one after it.
    const isOld = (now: Sight): boolean =>
      act !== nothing && now.text === before.text && now.cursor === before.cursor;
    const sight = await stage.waitFor(JSON.stringify(expected), (now) => {
      const { status, composer } = look(detector, now);
      return !isOld(now) && status === expected.status && composer === expected.composer;
    });
    expect(look(detector, sight)).toMatchObject(expected);
  });
});

async function loadDetector(): Promise<Detector> {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), writeScriptedProvider(scriptedAgent()));
  const [configured] = await loadProviders({ config: home, state: home });
  expect(configured).toMatchObject({ name: scriptedProvider, command: scriptedAgent() });
  if (!configured) throw new Error('it is not in the file');
  return describeDetector(configured, 'config.yaml');
}

function tell(prompt: string): (stage: Stage) => void {
  return (stage) => {
    stage.type(prompt);
    stage.press('Enter');
  };
}

function look(detector: Detector, { rows, title, cursor }: Sight): Verdict {
  const [x = 0, y = 0] = cursor.split(',').map(Number);
  return detect(detector, { lines: rows, title, cursor: { x, y } });
}
