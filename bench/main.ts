import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inClosedNetwork } from '../test/lab/network.ts';
import { benchDelivery, deliveryUsage } from './delivery/main.ts';
import { benchHerdr, herdrUsage } from './herdr/main.ts';
import { benchLedger } from './ledger/main.ts';
import { describeMachine } from './machine.ts';
import { preparePeers } from './peers/consent.ts';
import { benchPeers, peersUsage } from './peers/main.ts';
import { benchPeople, peopleUsage } from './people/main.ts';
import { benchPort } from './port/main.ts';
import { formatMarkdown, formatTable, listFailures, type Report, toDocument } from './report.ts';
import { benchRetention } from './retention/main.ts';
import { NotStarted, type Part, type Surroundings, WrongWish } from './suite.ts';
import { benchTeam, teamUsage } from './team/main.ts';
import { benchTerminals } from './terminals/main.ts';
import { benchTests, testsUsage } from './tests/main.ts';

const usage = `Usage: npm run bench -- <suite> [name…] [--only part,…] [--quick] [--json] [--markdown FILE] [--dir DIR] [--against REV] [--yes]

Suites:
  ledger            sends, writers, claims, growth and start-up of the ledger, against floors of the same disk
  terminals         status latency, input, idle agents, loud agents and a flood, on a real tmux
  delivery          from a send to the program or the model, against the same route used by hand
  people            a person's keys beside a send, the next message after Esc, the user's prompts, against a build before
  peers             signalbox beside CAO, which it installs from PyPI and runs, beside keys by a script, and beside the
                    agent-deck that AGENT_DECK_BIN names
  team              from a child's end to its parent's model, twenty workers at once, and the tools' proxy
  port [DIST]       what strangers at the loopback port cost, and readers that never read; beside an older build
  retention         100 000 settled messages past the retention: rows, bytes, time, and delivery meanwhile
  herdr             delivery, an idle fleet and a herdr that is away, on the fake of herdr, against tmux
  suite             how long the tests take: \`npm run test:unit\`, \`npm test\`, \`npm run test:full\`

Options:
  --only PART,…     for \`delivery\`, in part: ${deliveryUsage}
                    for \`team\`: ${teamUsage}
                    for \`people\`: ${peopleUsage}
                    for \`peers\`: ${peersUsage}
                    for \`herdr\`: ${herdrUsage}
                    for \`suite\`: ${testsUsage}
  --quick           a smaller run, for trying it out: its numbers mean little
  --json            one JSON document on stdout instead of the table
  --markdown FILE   write the table there as well
  --against REV     for \`people\`: the commit whose build is compared with (default: the last one before the work on people at the keyboard)
  --yes             for \`peers\`: do not ask before it installs and runs code of others
  --dir DIR         measure on the disk of this folder (default: that of the temporary folder)
`;

const suites: Readonly<Record<string, (around: Surroundings) => AsyncIterable<Part>>> = {
  ledger: benchLedger,
  terminals: benchTerminals,
  delivery: benchDelivery,
  people: benchPeople,
  peers: benchPeers,
  team: benchTeam,
  herdr: benchHerdr,
  port: benchPort,
  retention: benchRetention,
  suite: benchTests,
};

/** Real CLIs run in it, against a model on loopback. */
const closed = new Set(['delivery', 'people', 'peers', 'team']);

/**
 * Speed is no test: a missed bar is printed and is no failure. Exit 1 means that something could
 * not be measured.
 */
async function main(): Promise<number> {
  const { positionals, values } = parse();
  const [name = '', ...names] = positionals;
  const suite = suites[name];
  if (!suite || (names.length > 0 && !closed.has(name) && name !== 'port') || values.help) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  const folder = mkdtempSync(join(resolve(values.dir ?? tmpdir()), 'signalbox-bench-'));
  const over = new AbortController();
  // A gigabyte and eight processes are not left behind by a Ctrl-C either.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => over.abort());
  const { signal } = over;
  try {
    const parts: Part[] = [];
    const { quick } = values;
    const only = values.only?.split(',');
    const around = {
      ...{ folder, quick, names, signal, say },
      ...(only ? { only } : {}),
      ...(values.against === undefined ? {} : { against: values.against }),
    };
    for await (const part of suite(around)) parts.push(part);
    const report: Report = {
      suite: name,
      quick: values.quick,
      machine: describeMachine(folder),
      parts,
    };
    process.stdout.write(
      values.json ? `${JSON.stringify(toDocument(report), undefined, 2)}\n` : formatTable(report),
    );
    if (values.markdown !== undefined) writeFileSync(values.markdown, formatMarkdown(report));
    return listFailures(report).length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parse() {
  return parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      markdown: { type: 'string' },
      against: { type: 'string' },
      dir: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

try {
  const { positionals, values } = parse();
  if (positionals[0] === 'peers' && !values.help) await preparePeers(values.yes);
  const isClosed = process.argv.slice(2).some((argument) => closed.has(argument));
  process.exitCode = await (isClosed ? inClosedNetwork(main) : main());
} catch (error) {
  const { name, code, message, stack } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof WrongWish || String(code).startsWith('ERR_PARSE_ARGS');
  const stopped = name === 'AbortError';
  const refused = error instanceof NotStarted;
  if (refused) say(message);
  else say(isUsage ? `${message}\n${usage}` : stopped ? 'bench: stopped' : `bench: ${stack}`);
  process.exitCode = isUsage || refused ? 2 : 1;
  // All that it started has ended; a wait of the lab for something may still go on.
  if (stopped) process.exit();
}
