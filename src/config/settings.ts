import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nameForm } from '../agents/agent-name.ts';
import { Fault } from '../shared/fault.ts';
import { parseKeyName } from '../shared/key-name.ts';
import { formatSize, formatSpan, parseSize, parseSpan } from '../shared/units.ts';
import { configPath, type Folders } from './folders.ts';
import { requireOwnFolders } from './own-folder.ts';
import {
  definitions,
  environmentName,
  isFileOnly,
  listNames,
  type Setting,
  type SettingName,
  type SettingSource,
  type Settings,
  settingNames,
} from './setting-definitions.ts';

/** Environment, then config.yaml, then default. */
export async function loadSettings(folders: Folders, env: NodeJS.ProcessEnv): Promise<Settings> {
  requireOwnFolders(folders);
  const file = await readConfig(configPath(folders));
  const settings = settingNames.map((name): [SettingName, Setting] => {
    const fromEnv = isFileOnly(name) ? undefined : env[environmentName(name)] || undefined;
    const fromFile = file[name];
    if (fromEnv !== undefined) return [name, parse(name, fromEnv, 'environment')];
    if (fromFile !== undefined) return [name, parse(name, fromFile, 'config.yaml')];
    const value = definitions[name].default;
    const { about } = definitions[name];
    return [name, { name, about, value, text: format(name, value), source: 'default' }];
  });
  return Object.fromEntries(settings) as unknown as Settings;
}

/**
 * Another one whenever config.yaml may hold something else; undefined where that cannot be told. To
 * read the file anew took a daemon at rest 6 ms.
 */
export function configMark(folders: Folders): string | undefined {
  try {
    const entry = statSync(configPath(folders), { bigint: true, throwIfNoEntry: false });
    return entry ? `${entry.dev}:${entry.ino}:${entry.size}:${entry.ctimeNs}` : 'none';
  } catch {
    // Any error is fine: it says nothing of the file, and whoever reads that is told.
    return undefined;
  }
}

/** B1: a flag goes before all of that, and the rest of the configuration still applies. */
export function withTerminal(env: NodeJS.ProcessEnv, flag: string | undefined): NodeJS.ProcessEnv {
  return flag === undefined ? env : { ...env, [environmentName('terminal')]: flag };
}

/** Writes one setting into config.yaml and keeps everything else in it, comments included. */
export async function saveSetting(
  folders: Folders,
  name: SettingName,
  text: string,
): Promise<Setting> {
  requireOwnFolders(folders);
  const setting = parse(name, text, 'config.yaml', 'invalid-input');
  const path = configPath(folders);
  const { parseDocument } = await import('yaml');
  const document = parseDocument(readText(path) ?? '');
  if (document.errors.length > 0 || !isMapOrEmpty(document.toJS()))
    throw invalid(path, 'it is no YAML');
  document.set(name, text);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Written beside it and renamed, so that a crash leaves the old file or the new one. Behind a
    // link, that is the file meant.
    const target = isLink(path) ? resolve(dirname(path), readlinkSync(path)) : path;
    const draft = `${target}.new-${process.pid}`;
    writeFileSync(draft, document.toString(), { mode: 0o600, flush: true });
    renameSync(draft, target);
  } catch (error) {
    throw unwritable(path, error);
  }
  return setting;
}

/** Throws where that is no value for it; writes nothing. */
export function checkSetting(name: SettingName, text: string): void {
  parse(name, text, 'config.yaml', 'invalid-input');
}

/** Unknown settings in config.yaml: typos, or from a newer version. Commands run all the same. */
export async function listUnknownSettings(folders: Folders): Promise<readonly string[]> {
  const names = Object.keys(await readConfig(configPath(folders)));
  return names.filter((name) => name !== 'providers' && !Object.hasOwn(definitions, name));
}

export function parseSettingName(text: string): SettingName {
  if (Object.hasOwn(definitions, text)) return text as SettingName;
  throw new Fault(
    'key-not-found',
    `There is no setting "${text}".`,
    `Settings are ${settingNames.join(', ')}.`,
  );
}

function parse(
  name: SettingName,
  given: unknown,
  source: SettingSource,
  code: 'config-invalid' | 'invalid-input' = 'config-invalid',
): Setting {
  const text = String(given);
  const value = parseValue(name, text);
  if (value === undefined) {
    const from = source === 'environment' ? environmentName(name) : source;
    throw new Fault(
      code,
      `"${text.slice(0, 40)}" is no value for ${name}${code === 'config-invalid' ? ` (from ${from})` : ''}.`,
      describeValues(name),
    );
  }
  return { name, about: definitions[name].about, value, text, source };
}

function parseValue(name: SettingName, text: string): number | string | undefined {
  const definition = definitions[name];
  if (definition.form === 'choice') return definition.choices.find((choice) => choice === text);
  if (definition.form === 'agents') return parseNames(text);
  if (definition.form === 'command') return /^\P{Cc}{0,1000}$/u.test(text) ? text : undefined;
  if (definition.form === 'key') return text === 'off' ? text : parseKeyName(text)?.label;
  if (definition.form === 'name') return /^[a-z0-9][a-z0-9-]{0,63}$/.test(text) ? text : undefined;
  if (definition.form === 'text') return /^[A-Za-z0-9._-]{1,64}$/.test(text) ? text : undefined;
  // `0` needs no unit: it is off.
  if ('off' in definition && /^(off|0)$/i.test(text.trim())) return definition.off;
  const value = parseNumber(definition.form, text);
  return value === undefined || value < definition.min || value > definition.max
    ? undefined
    : value;
}

/** In full, since the name alone may be another one's in another session. */
function parseNames(text: string): string | undefined {
  const names = listNames(text);
  const isFull = (name: string): boolean =>
    name.split('/').length === 2 && name.split('/').every((part) => nameForm.test(part));
  return names.every(isFull) ? names.join(', ') : undefined;
}

function parseNumber(form: 'size' | 'span' | 'count', text: string): number | undefined {
  if (form === 'size') return parseSize(text);
  if (form === 'span') return parseSpan(text);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function describeValues(name: SettingName): string {
  const definition = definitions[name];
  if (definition.form === 'choice') return `Give one of ${definition.choices.join(', ')}.`;
  if (definition.form === 'command') {
    return 'Give one line for sh, of at most 1000 characters; an empty one runs nothing.';
  }
  if (definition.form === 'agents') {
    return 'Give full names, such as shop/lead, with commas between them; an empty value names none.';
  }
  if (definition.form === 'key') {
    return `Give off, F1 to F12, or a key with Ctrl or Alt that programs can do without, such as ${definition.default}.`;
  }
  if (definition.form === 'name') return `Give a name, such as ${definition.default}.`;
  if (definition.form === 'text') {
    return `Give 1 to 64 letters, digits, dots, dashes or underscores, such as ${definition.default}.`;
  }
  const { form, min, max, default: usual } = definition;
  if ('off' in definition) {
    return `Give off, or a ${form} of up to ${format(name, max)}, such as ${format(name, usual)}.`;
  }
  return `Give a ${form} from ${format(name, min)} to ${format(name, max)}, such as ${format(name, usual)}.`;
}

function format(name: SettingName, value: number | string): string {
  if (typeof value === 'string') return value;
  const definition = definitions[name];
  if ('off' in definition && value === definition.off) return 'off';
  const { form } = definition;
  if (form === 'count') return String(value);
  return form === 'size' ? formatSize(value) : formatSpan(value);
}

/** All of config.yaml; empty without one. */
export async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = readText(path);
  if (text === undefined) return {};
  // Loaded only where there is a file to read: most commands do without.
  const { parse: parseYaml } = await import('yaml');
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    // The parser's first line ends with a colon: the lines that it shows come next.
    const [said = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw invalid(path, said.replace(/:$/, '') || 'it is no YAML');
  }
  if (!isMapOrEmpty(content)) throw invalid(path, 'it must be a list of `name: value` lines');
  return (content ?? {}) as Record<string, unknown>;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A folder that cannot even be named holds no file; what is wrong with it is said when the
    // ledger is opened.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return undefined;
    throw invalid(path, error instanceof Error ? error.message : String(error));
  }
}

function isMapOrEmpty(content: unknown): boolean {
  return content === null || (typeof content === 'object' && !Array.isArray(content));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function unwritable(path: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'config-invalid',
    `The configuration ${path} could not be written: ${why}.`,
    'Make its folder writable, or set SIGNALBOX_HOME to one that is.',
    { cause: error },
  );
}

function invalid(path: string, why: string): Fault {
  return new Fault(
    'config-invalid',
    `The configuration ${path} cannot be read: ${why}.`,
    'Mend the file or move it away.',
  );
}
