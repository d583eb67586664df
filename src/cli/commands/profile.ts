import type { Command } from 'commander';
import type { ProfileListDocument, RemovedProfile } from '../../protocol/printed.ts';
import type { ProfileView } from '../../protocol/profiles.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { formatTable, inLine, writeError, writeJson, writeOut } from '../output.ts';
import { frameWords, openReading } from '../reader.ts';
import { paint } from '../screen-codes.ts';
import { example, jsonOption } from './options.ts';

interface Options {
  readonly project?: boolean;
  readonly replace?: boolean;
  readonly json?: true;
}

export function addProfileCommands(program: Command): void {
  const profile = program
    .command('profile')
    .description(
      'list, check, add and remove profiles: Markdown files with instructions for agents',
    );
  example(profile, 'signalbox profile list', 'signalbox launch reviewer "Review the last commit"');
  addList(profile);
  addShow(profile);
  addValidate(profile);
  addAdd(profile);
  addRemove(profile);
}

async function open() {
  const { openProfiles } = await import('../../client/direct/profiles.ts');
  return openProfiles(process.env, process.cwd());
}

function addList(profile: Command): void {
  const command = profile
    .command('list')
    .alias('ls')
    .description('list all profiles found from here, nearest first');
  jsonOption(command);
  example(command, 'signalbox profile list', 'signalbox profile list --json');
  command.action(async ({ json }: Options) => {
    const profiles = await (await open()).list();
    return json ? writeJson<ProfileListDocument>({ profiles }) : writeOut(describeList(profiles));
  });
}

function addShow(profile: Command): void {
  const command = profile
    .command('show <name>')
    .description('print one profile with its instructions');
  jsonOption(command);
  example(command, 'signalbox profile show reviewer');
  command.action(async (name: string, { json }: Options) => {
    const shown = await (await open()).show(name);
    return json ? writeJson<ProfileView>(shown) : writeOut(describe(shown));
  });
}

function addValidate(profile: Command): void {
  const command = profile
    .command('validate [file|name...]')
    .description('check files or profiles for mistakes; default: all profiles found from here');
  jsonOption(command);
  example(command, 'signalbox profile validate ./tester.md', 'signalbox profile validate');
  command.action(async (names: string[], { json }: Options) => {
    const profiles = await (await open()).validate(names);
    const broken = profiles.filter(({ trouble }) => trouble !== undefined);
    if (broken.length > 0) process.exitCode = 1;
    if (json) return writeJson<ProfileListDocument>({ profiles });
    return writeOut(profiles.map(describeVerdict).join(''));
  });
}

function addAdd(profile: Command): void {
  const command = profile
    .command('add <file>')
    .description('copy a file into your own folder of profiles, or the project’s')
    .option('--project', 'copy it into .signalbox/profiles of the project')
    .option('--replace', 'overwrite a profile of the same name');
  jsonOption(command);
  example(
    command,
    'signalbox profile add ./tester.md',
    'signalbox profile add ~/tester.md --project --replace',
  );
  command.action(async (file: string, { project = false, replace = false, json }: Options) => {
    const added = await (await open()).add(file, { project, replace });
    for (const remark of added.remarks ?? []) writeError(`signalbox: ${remark}.`);
    if (added.trouble) writeError(`signalbox: ${added.trouble}`);
    return json
      ? writeJson<ProfileView>(added)
      : writeOut(`${inLine(added.name)} added: ${inLine(added.path)}\n`);
  });
}

function addRemove(profile: Command): void {
  const command = profile
    .command('rm <name>')
    .description('remove one of your own profiles, or one of the project’s')
    .option('--project', 'remove it from .signalbox/profiles of the project');
  jsonOption(command);
  example(command, 'signalbox profile rm tester', 'signalbox profile rm tester --project');
  command.action(async (name: string, { project = false, json }: Options) => {
    const removed = await (await open()).remove(name, { project });
    return json
      ? writeJson<RemovedProfile>(removed)
      : writeOut(`${inLine(name)} removed: ${inLine(removed.path)}\n`);
  });
}

function describeList(profiles: readonly ProfileView[]): string {
  const rows = profiles.map((profile) => [
    profile.name,
    profile.origin,
    profile.provider ?? '-',
    profile.trouble
      ? `broken: ${profile.trouble}`
      : `${describeStanding(profile)}${profile.description ?? ''}`,
  ]);
  const table = formatTable(['NAME', 'FROM', 'PROVIDER', 'WHAT'], rows);
  const hint = 'launch one: signalbox launch <name>    in full: signalbox profile show <name>';
  return `${table}${paint('dim', hint)}\n`;
}

function describeStanding({ hidden, launchAs, trusted }: ProfileView): string {
  const said = [
    ...(hidden ? ['hidden by a nearer one'] : []),
    ...(launchAs === undefined ? [] : [`as ${launchAs}`]),
    ...(trusted === false ? ['not trusted'] : []),
  ];
  return said.length === 0 ? '' : `(${said.join(', ')}) `;
}

function describe(profile: ProfileView): string {
  const { unknown, remarks = [] } = profile;
  const { lead, first } = openReading();
  const lines: [string, string | undefined][] = [
    ['what', profile.description],
    ['from', `${profile.origin}: ${profile.path}`],
    [
      'trusted',
      profile.trusted === false ? `no: signalbox trust ${shellWord(profile.path)}` : undefined,
    ],
    ['provider', profile.provider],
    ['model', profile.model],
    ['role', profile.role],
    ['permission', profile.permission ?? profile.permissionMode],
    ['tools', profile.allowedTools?.join(', ')],
    ['servers', profile.mcpServers?.join(', ')],
    ['variables', profile.env?.join(', ')],
    ['worktree', profile.worktree ? 'of its own' : undefined],
    ['notify', profile.notify === false ? 'only for tasks' : undefined],
    ['tools over', profile.toolsOver],
    ['approvals', profile.approvals],
    ['tasks', profile.tasks && 'of its parent arrive as prompts'],
    ['idle-stop', profile.idleStop],
    ['tags', profile.tags?.join(', ')],
    ['unknown', unknown && Object.keys(unknown).join(', ')],
    ...remarks.map((remark): [string, string] => ['remark', remark]),
  ];
  const shown = lines.flatMap(([name, text]) =>
    text ? [`${lead}  ${paint('dim', name.padEnd(10))}  ${inLine(text)}\n`] : [],
  );
  const { instructions } = profile;
  const what = `instructions of the profile ${inLine(profile.name)}`;
  const body = instructions ? `\n${frameWords(what, `${instructions}\n`)}` : '';
  return `${first}${lead}${paint('bold', inLine(profile.name))}\n${shown.join('')}${body}`;
}

function describeVerdict({ name, path, trouble, remarks = [] }: ProfileView): string {
  const verdict = trouble ? paint('red', 'broken') : paint('green', 'usable');
  const details = trouble ? [trouble, ...remarks] : remarks;
  const lines = details.map((text) => `  ${inLine(text)}\n`);
  return `${inLine(name)}  ${verdict}  ${paint('dim', inLine(path))}\n${lines.join('')}`;
}
