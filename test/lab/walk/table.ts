import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PageShell } from '../../pages/shell.ts';
import { openScriptedWorld, type PageWorld } from '../../pages/world.ts';
import { endOnSignals } from '../end-on-signals.ts';

/**
 * What `ls` shows of twenty agents in two projects, at three widths: scripted agents in real
 * terminals, some at work, some at rest, two that ask, one that has ended, tasks that are owed.
 *
 *     npm run lab:table [-- --markdown FILE]
 */
const { values } = parseArgs({ options: { markdown: { type: 'string' } } });

const widths = [60, 80, 200] as const;
const world = openScriptedWorld();
endOnSignals(() => world.close());
try {
  launchTeam(world);
  const parts: string[] = [];
  for (const columns of widths) {
    const shell = await PageShell.open(world, { columns, rows: 60 });
    try {
      for (const line of ['signalbox ls', 'signalbox ls --all']) {
        const { code } = await shell.type(line);
        if (code !== 0) throw new Error(`${line} ended with ${code}`);
        const [, ...lines] = (await shell.visible()).trimEnd().split('\n');
        parts.push(`## \`${line}\`, ${columns} columns`, fence(lines.slice(0, -1).join('\n')));
      }
    } finally {
      await shell.close();
    }
  }
  const about = '# `ls` with twenty agents\n\nMade by `npm run lab:table`, with scripted agents.';
  const text = `${[about, ...parts].join('\n\n')}\n`;
  process.stdout.write(text);
  if (values.markdown !== undefined) writeFileSync(values.markdown, text);
} finally {
  await world.close();
}

/** One that asks whether to trust its folder, and nineteen more once that was answered. */
function launchTeam(place: PageWorld): void {
  const program = join(place.folder, 'bin', 'signalbox');
  const run = (...args: readonly string[]): string =>
    execFileSync(program, args, { env: place.env, cwd: place.cwd, encoding: 'utf8' });
  run('launch', 'claude', '--name', 'newcomer');
  place.trust('claude');
  run('launch', 'claude', '--name', 'lead');
  const of = (parent: string, ...names: readonly string[]): void => {
    for (const name of names) run('launch', 'claude', '--name', name, '--parent', parent);
  };
  of('lead', 'planner', 'api-developer', 'ui-developer', '設計レビュー');
  of('api-developer', 'db-migrations', 'api-tests', 'load-tests');
  of('ui-developer', 'ui-tests', 'a11y-reviewer-with-a-long-name');
  of('lead', 'docs-writer', 'release-notes', 'security-reviewer');
  const billing = join(place.folder, 'billing');
  execFileSync('git', ['init', '--quiet', billing]);
  const elsewhere = (...args: readonly string[]): string =>
    execFileSync(program, args, { env: place.env, cwd: billing, encoding: 'utf8' });
  for (const name of ['lead', 'invoices', 'taxes', 'exports', 'reports', 'mails', 'refunds']) {
    elsewhere('launch', 'claude', '--name', name);
  }
  run('assign', 'load-tests', 'Write load tests for 200 requests a second, please\n@@work 3600s');
  run(
    'assign',
    'db-migrations',
    'Add an index to the cart table\n@@ask permission psql -f db/0008.sql',
  );
  run('assign', 'security-reviewer', 'Read the payment form as an attacker\n@@work 3600s');
  run('send', 'ui-tests', '@@work 3600s');
  run('send', 'ui-tests', 'One more thing, when you are done');
  elsewhere('send', 'refunds', '@@ask permission rm -r old-invoices');
  run('stop', 'release-notes');
  waitForDialogs(place);
}

function waitForDialogs({ folder, env, cwd }: PageWorld): void {
  const program = join(folder, 'bin', 'signalbox');
  const ask = (): string =>
    execFileSync(program, ['attention', '--json'], { env, cwd, encoding: 'utf8' });
  const isThere = (): boolean => ['db-migrations', 'refunds'].every((name) => ask().includes(name));
  for (let tries = 0; tries < 200 && !isThere(); tries++) execFileSync('sleep', ['0.2']);
  if (!isThere()) throw new Error('the agents that should ask do not');
}

function fence(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
