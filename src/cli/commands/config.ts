import type { Command } from 'commander';
import { configPath, findFolders, ledgerPath } from '../../config/folders.ts';
import {
  environmentName,
  isFileOnly,
  type Setting,
  settingNames,
} from '../../config/setting-definitions.ts';
import {
  checkSetting,
  listUnknownSettings,
  parseSettingName,
  saveSetting,
} from '../../config/settings.ts';
import type { ConfigDocument, ConfigPaths, SettingView } from '../../protocol/printed.ts';
import { formatTable, inLine, writeError, writeJson, writeOut } from '../output.ts';
import { example, jsonOption } from './options.ts';

export function addConfigCommand(program: Command): void {
  const config = program
    .command('config')
    .description('print each setting with its value and where that came from');
  jsonOption(config);
  example(config, 'signalbox config', 'signalbox config set retention 30d');
  config.action(async (options: { json?: true }) => {
    const settings = await load();
    const unknown = await listUnknownSettings(findFolders(process.env));
    if (options.json)
      return writeJson<ConfigDocument>({ ...paths(), settings: settings.map(view), unknown });
    const rows = settings.map(({ name, text, source, about }) => [name, text, source, about]);
    const { config: file, ledger } = paths();
    const table = formatTable(['NAME', 'VALUE', 'FROM', 'WHAT'], rows);
    const ignored = unknown.map((name) => `ignored ${JSON.stringify(name)}: no such setting\n`);
    const files = `config  ${inLine(file)}\nledger  ${inLine(ledger)}\n`;
    return writeOut(`${table}\n${files}${ignored.join('')}`);
  });
  addPath(config);
  addGet(config);
  addSet(config);
}

function addPath(config: Command): void {
  const command = config.command('path').description('print the path of the configuration file');
  jsonOption(command);
  example(command, 'signalbox config path');
  command.action((options: { json?: true }, self: Command) =>
    isJson(options, self)
      ? writeJson<ConfigPaths>(paths())
      : writeOut(`${inLine(paths().config)}\n`),
  );
}

function addGet(config: Command): void {
  const command = config.command('get <name>').description('print one value');
  jsonOption(command);
  example(command, 'signalbox config get retention');
  command.action(async (text: string, options: { json?: true }, self: Command) => {
    const name = parseSettingName(text);
    const setting = (await load()).find((one) => one.name === name);
    if (!setting) throw new Error(`${name} is a setting`);
    return isJson(options, self)
      ? writeJson<SettingView>(view(setting))
      : writeOut(`${inLine(setting.text)}\n`);
  });
}

function addSet(config: Command): void {
  const command = config
    .command('set <name> <value>')
    .description('write one value into the configuration file, and leave the rest of it alone');
  jsonOption(command);
  example(command, 'signalbox config set body-limit 256KiB');
  command.action(async (text: string, value: string, options: { json?: true }, self: Command) => {
    const name = parseSettingName(text);
    // Limits and budgets of agents stand there, so no agent sets them for itself.
    const consent = await import('../../client/direct/consent.ts');
    // Whoever is named there answers in the user's place (rule 54).
    if (name === 'supervisors-answer')
      await consent.requireConsent(process.env, 'name a supervisor');
    else await consent.requireNoAgent(process.env, 'change the settings');
    const { findUntold, requireProvider } = await import('../../client/direct/usual-provider.ts');
    checkSetting(name, value);
    if (name === 'default-provider') await requireProvider(process.env, value);
    const meant = name === 'supervisors-answer' ? await findMeant(value) : undefined;
    const setting = await saveSetting(findFolders(process.env), name, value);
    meant?.note();
    const override = environmentName(name);
    if (!isFileOnly(name) && process.env[override] !== undefined) {
      writeError(`signalbox: ${override} is set and wins over the file.`);
    }
    const untold = findUntold(process.env, setting);
    if (isJson(options, self)) {
      const restart = untold === undefined ? {} : ({ needsRestart: true } as const);
      return writeJson<SettingView>({ ...view(setting), ...restart });
    }
    if (meant) return writeOut(`${name} is ${inLine(setting.text)} now\n${meant.said}`);
    if (untold === undefined) return writeOut(`${name} is ${inLine(setting.text)} now\n`);
    return writeOut(
      `${name} is ${inLine(setting.text)} for commands now\n` +
        `the daemon (pid ${untold}) has it after \`signalbox down && signalbox up\`; agents live on\n`,
    );
  });
}

/** Rule 54: the right is this agent's, whoever has its name later. */
async function findMeant(value: string) {
  const { findSupervisors, nameSupervisors } = await import(
    '../../client/direct/name-supervisors.ts'
  );
  const meant = await findSupervisors(process.env, value);
  const lines = meant.map(({ name, id, launchedBy }) => {
    const by = launchedBy === undefined ? '' : `, which ${launchedBy} launched`;
    return `${name} is ${id}${by}; no other agent that gets this name may answer\n`;
  });
  return { said: lines.join(''), note: () => nameSupervisors(process.env, meant) };
}

async function load(): Promise<readonly Setting[]> {
  const { readSettings } = await import('../../client/direct/usual-provider.ts');
  const settings = await readSettings(process.env);
  return settingNames.map((name) => settings[name]);
}

function view({ name, value, text, source }: Setting): SettingView {
  return { name, value, text, source };
}

function paths(): ConfigPaths {
  const folders = findFolders(process.env);
  return { config: configPath(folders), ledger: ledgerPath(folders) };
}

/**
 * `config --json` is an option of the group too, and then the group takes it, wherever it stands.
 */
function isJson(options: { json?: true }, command: Command): boolean {
  return options.json === true || command.parent?.opts()['json'] === true;
}
