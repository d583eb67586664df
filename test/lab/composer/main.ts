import { parseArgs } from 'node:util';
import { takesPaste } from '../../../src/agents/takes-paste.ts';
import { provider } from '../../../src/providers/claude-code/provider.ts';
import { inClosedNetwork } from '../network.ts';
import { verdictOn } from '../record/judge.ts';
import type { Scenario } from '../record/scenario.ts';
import { scenarios } from '../record/scenarios/claude-code.ts';
import { LabSession } from '../record/session.ts';
import { pasteWithEnter, stands, submitted, withPromptHook } from './paste.ts';
import { pastedTexts } from './texts.ts';

/**
 * Pastes into the real Claude Code in each state that a recording has, and compares what its hook
 * UserPromptSubmit was told with the text, byte for byte:
 *
 *     npm run lab:composer -- [--only started,vim-normal,…] [--size 80x24 …]
 *                             [--texts short,'5 lines']
 *
 * One row of a table for each: the detector's verdict, whether tmux's guard lets the paste pass,
 * and which texts arrived as they are.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    size: { type: 'string', multiple: true, default: ['80x24'] },
    texts: { type: 'string' },
  },
});

/** Every way to have a composer that is empty, or that holds nothing but blanks. */
const usual =
  'started,stashed,auto-later,auto-blanks,edits-later,plan-later,bypass-later,vim-later,vim-normal,vim-visual,line-later,lines-later,example,suggestion,background-shell';

process.exitCode = await inClosedNetwork(async () => {
  const wanted = (values.only ?? usual).split(',');
  say('| state | size | composer | no paste | guard | exact |');
  say('| --- | --- | --- | --- | --- | --- |');
  let isGood = true;
  for (const size of values.size) {
    const [columns = 0, rows = 0] = size.split('x').map(Number);
    for (const name of wanted) {
      const scenario = scenarios.list.find((one) => one.name === name);
      if (!scenario) throw new Error(`There is no scenario "${name}".`);
      isGood = (await tryState(scenario, { columns, rows })) && isGood;
    }
  }
  return isGood ? 0 : 1;
});

/** False where a composer that counts as empty changed a text. */
async function tryState(
  scenario: Scenario,
  size: { readonly columns: number; readonly rows: number },
): Promise<boolean> {
  const results: string[] = [];
  let head = '';
  let isProven = false;
  // Each text into the state itself, not into what the one before left.
  const chosen = values.texts?.split(',');
  for (const [name, text] of Object.entries(pastedTexts())) {
    if (chosen && !chosen.includes(name)) continue;
    const hooked = withPromptHook(scenario);
    const start = { cli: 'claude-code', scenarios, scenario: hooked, theme: 'dark' } as const;
    const session = await LabSession.open({ ...start, ...size });
    try {
      await scenario.drive(session);
      const screen = await session.terminal.settled(400);
      const verdict = await verdictOn('claude-code', {
        lines: screen.text.split('\n'),
        styledLines: screen.styled.split('\n'),
        title: screen.title,
        cursor: screen.cursor,
      });
      isProven ||= takesPaste(verdict.composer);
      head = `${verdict.composer} | ${verdict.noPaste ?? ''} | ${await describeGuard(session)}`;
      results.push(`${name} ${await pasteOnce(session, text)}`);
    } finally {
      await session.close();
    }
  }
  const isExact = results.every((result) => result.endsWith(' exact'));
  const said = isExact ? 'all' : results.join(', ');
  say(`| ${scenario.name} | ${size.columns}x${size.rows} | ${head} | ${said} |`);
  return isExact || !isProven;
}

async function pasteOnce(session: LabSession, text: string): Promise<string> {
  const before = submitted(session).length;
  await pasteWithEnter(session, text);
  const isTold = await session.terminal
    .waitFor('the hook', () => submitted(session).length > before, 10_000)
    .then(
      () => true,
      () => false,
    );
  if (!isTold) return 'not submitted';
  return submitted(session)[before] === text ? 'exact' : 'changed';
}

async function describeGuard(session: LabSession): Promise<string> {
  const { absent = [], present = [] } = provider.capabilities.pasteGuard ?? {};
  for (const pattern of absent)
    if (await stands(session, pattern)) return `stops at ${JSON.stringify(pattern)}`;
  for (const pattern of present)
    if (!(await stands(session, pattern))) return `lacks ${JSON.stringify(pattern)}`;
  return 'passes';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
