import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inClosedNetwork } from '../test/lab/network.ts';
import { benchDelivery, deliveryUsage } from './delivery/main.ts';
import { benchHerdr, herdrUsage } from './herdr/main.ts';
import { benchLedger } from './ledger/main.ts';
import { describeMachine } from './machine.ts';
import { benchPort } from './port/main.ts';
import { formatMarkdown, formatTable, listFailures, type Report, toDocument } from './report.ts';
import { benchRetention } from './retention/main.ts';
import { type Part, type Surroundings, WrongWish } from './suite.ts';
import { benchTeam, teamUsage } from './team/main.ts';
import { benchTerminals } from './terminals/main.ts';
import { benchTests, testsUsage } from './tests/main.ts';

const usage = `Usage: npm run bench -- <suite> [name…] [--only part,…] [--quick] [--json] [--markdown FILE] [--dir DIR]

Suites:
  ledger            sends, writers, claims, growth and start-up of the ledger, against floors of the same disk
  terminals         status latency, input, idle agents, loud agents and a flood, on a real tmux
  delivery          from a send to the program or the model, against the same route used by hand
  team              from a child's end to its parent's model, twenty workers at once, and the tools' proxy
  port [DIST]       what strangers at the loopback port cost, and readers that never read; beside an older build
  retention         100 000 settled messages past the retention: rows, bytes, time, and delivery meanwhile
  herdr             delivery, an idle fleet and a herdr that is away, on the fake of herdr, against tmux
  suite             how long the tests take: \`npm run test:unit\`, \`npm test\`, \`npm run test:full\`

Options:
  --only PART,…     for \`delivery\`, in part: ${deliveryUsage}
                    for \`team\`: ${teamUsage}
                    for \`herdr\`: ${herdrUsage}
                    for \`suite\`: ${testsUsage}
  --quick           a smaller run, for trying it out: its numbers mean little
  --json            one JSON document on stdout instead of the table
  --markdown FILE   write the table there as well
  --dir DIR         measure on the disk of this folder (default: that of the temporary folder)
`;

const suites: Readonly<Record<string, (around: Surroundings) => AsyncIterable<Part>>> = {
  ledger: benchLedger,
  terminals: benchTerminals,
  delivery: benchDelivery,
  team: benchTeam,
  herdr: benchHerdr,
  port: benchPort,
  retention: benchRetention,
  suite: benchTests,
};

/** Real CLIs run in it, against a model on loopback. */
const closed = new Set(['delivery', 'team']);

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
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort());
  const { signal } = over;
  try {
    const parts: Part[] = [];
    const { quick } = values;
    const only = values.only?.split(',');
    const around = { folder, quick, names, signal, say, ...(only ? { only } : {}) };
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
      dir: { type: 'string' },
    },
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

try {
  const isClosed = process.argv.slice(2).some((argument) => closed.has(argument));
  process.exitCode = await (isClosed ? inClosedNetwork(main) : main());
} catch (error) {
  const { name, code, message, stack } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof WrongWish || String(code).startsWith('ERR_PARSE_ARGS');
  const stopped = name === 'AbortError';
  say(isUsage ? `${message}\n${usage}` : stopped ? 'bench: stopped' : `bench: ${stack}`);
  process.exitCode = isUsage ? 2 : 1;
}
