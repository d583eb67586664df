import type { Command } from 'commander';
import type { DashboardView } from '../../protocol/page.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { writeJson, writeOut } from '../output.ts';
import { tell, withClient } from '../run.ts';
import { paint } from '../screen-codes.ts';
import { example, jsonOption } from './options.ts';

interface DashboardOptions {
  readonly readOnly?: true;
  readonly open?: true;
  readonly json?: true;
}

export function addDashboardCommand(program: Command): void {
  const command = program
    .command('dashboard')
    .description('print a link to the live page in your browser; you alone may, at a terminal')
    .option('--read-only', 'a page that looks, and can change nothing')
    .option('--open', 'open it in your browser at once');
  jsonOption(command);
  example(
    command,
    'signalbox dashboard --open',
    'signalbox dashboard --read-only               # to show it to somebody',
    'ssh -L 4100:127.0.0.1:4100 me@elsewhere       # with the port of the link, from elsewhere',
  );
  command.action(({ readOnly, open, json }: DashboardOptions) =>
    withClient(async (client) => {
      const { requireConsent } = await import('../../client/direct/consent.ts');
      await requireConsent(process.env, 'open the dashboard');
      const view = await client.openDashboard(readOnly === true);
      if (json) writeJson<DashboardView>(view);
      else writeOut(describe(view));
      if (view.missing) tell('This build of signalbox has no dashboard: `npm run build` makes it.');
      if (!open) return;
      const trouble = await openInBrowser(view.url, process.env);
      if (trouble !== undefined) tell(`${trouble} Open the link yourself.`);
    }),
  );
}

function describe({ url, port, readOnly }: DashboardView): string {
  const what = readOnly ? 'It may look and change nothing. ' : '';
  const forward = `ssh -L ${port}:127.0.0.1:${port} <this machine>`;
  const rows = [
    `${what}The link is for one sign-in, within a minute.`,
    `From elsewhere: \`${forward}\`, then open the same link there.`,
  ];
  return `${url}\n${rows.map((row) => `  ${paint('dim', row)}\n`).join('')}`;
}
