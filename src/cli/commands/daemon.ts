import type { Command } from 'commander';
import type { HealthView } from '../../protocol/daemon.ts';
import type { DownResult, UpDocument } from '../../protocol/printed.ts';
import { formatSize } from '../../shared/units.ts';
import { formatTime, inLine, writeJson, writeOut } from '../output.ts';
import { tell } from '../run.ts';
import { paint, type Style } from '../screen-codes.ts';
import { example, jsonOption, terminalOption } from './options.ts';

/** The daemon itself: `up`, `down` and `health`. They need no ledger to be opened here. */
export function addDaemonCommands(program: Command): void {
  upCommand(program);
  downCommand(program);
  healthCommand(program);
}

const control = () => import('../../client/socket/control.ts');

function upCommand(program: Command): void {
  const command = program
    .command('up')
    .description('start the daemon; commands that need it start it themselves')
    .option('--foreground', 'stay in the foreground and show the log until you interrupt it');
  terminalOption(command, 'the default backend for terminals');
  jsonOption(command);
  example(command, 'signalbox up', 'signalbox up --terminal tmux --foreground');
  command.action(async (options: { terminal?: string; foreground?: true; json?: true }) => {
    const { terminal } = options;
    if (options.foreground) {
      const { runInForeground } = await import('../foreground.ts');
      process.exitCode = await runInForeground(process.env, terminal, options.json === true);
      return;
    }
    const { info, isNew } = await (await control()).bringUp(process.env, tell, terminal);
    if (options.json) return writeJson<UpDocument>({ started: isNew, ...info });
    const { pid, version, since, terminalBackend } = info;
    const said = isNew ? 'started' : `is running already, since ${formatTime(since)}`;
    const facts = inLine(`pid ${pid}, version ${version}, ${terminalBackend}`);
    return writeOut(`daemon ${said}: ${facts}\n`);
  });
}

function downCommand(program: Command): void {
  const command = program
    .command('down')
    .description('stop the daemon; agents and their terminals live on');
  jsonOption(command);
  example(command, 'signalbox down');
  command.action(async (options: { json?: true }) => {
    const result = await (await control()).takeDown(process.env);
    if (options.json) return writeJson<DownResult>(result);
    if (result.outcome === 'not-running') return writeOut('no daemon is running\n');
    const { pid, agents, outcome } = result;
    const how = outcome === 'killed' ? 'did not end and was killed' : 'stopped';
    return writeOut(`daemon ${how} (pid ${pid})${describeLiving(agents)}\n`);
  });
}

function describeLiving(agents: number | undefined): string {
  if (agents === undefined) return '; agents live on';
  if (agents === 0) return '; no agent was running';
  return `; ${agents} ${agents === 1 ? 'agent lives' : 'agents live'} on`;
}

function healthCommand(program: Command): void {
  const command = program
    .command('health')
    .description(
      'check the daemon, ledger, backend and providers; exit code 1 if one has a problem',
    );
  jsonOption(command);
  example(command, 'signalbox health --json');
  command.action(async (options: { json?: true }) => {
    const health = await (await control()).readHealth(process.env);
    options.json ? writeJson<HealthView>(health) : writeOut(describe(health));
    if (!health.ok) process.exitCode = 1;
  });
}

function describe({ components, terminalBackend, version, agents }: HealthView): string {
  const { daemon, ledger, providers } = components;
  const since = daemon.since === undefined ? '' : `, since ${formatTime(daemon.since)}`;
  const memory = daemon.memoryBytes === undefined ? '' : `, ${formatSize(daemon.memoryBytes)}`;
  const pid = daemon.pid === undefined ? '' : `pid ${daemon.pid}, `;
  const troubled = agents.troubled.length > 0 ? `, troubled: ${agents.troubled.join(', ')}` : '';
  if (daemon.state === 'stopped') {
    return `${row('daemon', 'stopped', `version ${version}`)}\n${row('ledger', ledger.state, ledger.path)}\nThe daemon alone knows the rest; \`signalbox up\` starts one.\n`;
  }
  return [
    row('daemon', daemon.state, `${pid}version ${version}${since}${memory}`),
    row('ledger', ledger.state, ledger.detail ?? ledger.path),
    ...describeBackends(components, terminalBackend),
    row('agents', String(agents.running), `running${troubled}`),
    ...Object.entries(providers).map(([name, { state, version: installed, detail, path }]) =>
      row(name, state, [installed, detail ?? path].filter(Boolean).join('  ')),
    ),
    '',
  ].join('\n');
}

/** Where there are several, each says how many agents live in it. */
function describeBackends(
  { backend, backends = {} }: HealthView['components'],
  usual: string,
): readonly string[] {
  const others = Object.entries(backends).filter(([name]) => name !== usual);
  const all = [[usual, { ...backend, ...backends[usual] }] as const, ...others];
  return all.map(([name, { state, version, detail, agents }]) => {
    const how = name === usual ? 'the default' : 'not the default';
    const many = others.length > 0 ? `(${how}, ${countAgents(agents ?? 0)})` : '';
    return row('backend', state, [name, version, many, detail].filter(Boolean).join(' '));
  });
}

function countAgents(n: number): string {
  return n === 1 ? '1 agent' : `${n} agents`;
}

function row(name: string, state: string, more: string): string {
  const style = styles[state] ?? 'bold';
  return `${name.padEnd(12)}  ${paint(style, state.padEnd(10))}  ${inLine(more)}`.trimEnd();
}

const styles: Readonly<Record<string, Style>> = {
  running: 'green',
  ready: 'green',
  found: 'green',
  stopped: 'yellow',
  connecting: 'yellow',
  missing: 'dim',
  unknown: 'dim',
  down: 'red',
  failed: 'red',
};
