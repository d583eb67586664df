import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

export interface Parted {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Parts a Markdown file at its two lines `---` and reads what stands between them as plain YAML
 * data. Libraries that do this run `---js` blocks; here every other opening is refused, and so are
 * tags and aliases, which a bomb is made of. Nothing in a profile is ever executed by being read.
 */
export async function partFrontMatter(text: string, path: string): Promise<Parted> {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const [first = ''] = lines;
  if (!/^---\s*$/.test(first)) {
    throw invalid(
      path,
      first.startsWith('---')
        ? `it begins with ${quote(first, 40)}, and only plain YAML is read`
        : 'it has no front matter',
    );
  }
  const end = lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line));
  if (end < 0) throw invalid(path, 'its front matter has no end');
  const fields = await parseFields(lines.slice(1, end).join('\n'), path);
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { fields, body };
}

/**
 * 64 KiB of brackets alone keep the parser (yaml 2.9) busy for a second, and with it the daemon.
 */
const largestFields = 16 * 1024;

async function parseFields(text: string, path: string): Promise<Parted['fields']> {
  if (text.length > largestFields) throw invalid(path, 'its front matter has more than 16 KiB');
  // Loaded only where there is a profile to read: most commands do without.
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(text, { schema: 'core', merge: false, resolveKnownTags: false });
    // A tag that the schema does not know is a warning: the file wants more than data.
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw invalid(path, problem.message.split('\n')[0] ?? 'YAML');
    const fields: unknown = document.toJS({ maxAliasCount: 0 });
    if (fields === null) return {};
    if (typeof fields === 'object' && !Array.isArray(fields)) return fields as Parted['fields'];
  } catch (error) {
    if (error instanceof Fault) throw error;
    // Aliases, or so many levels that the parser's stack is too small for them.
    throw invalid(path, error instanceof Error ? error.message : String(error), error);
  }
  throw invalid(path, 'its front matter must be a list of `name: value` lines');
}

export const mendProfile =
  'Mend the file: YAML between two lines `---`, then the instructions; docs/profiles.md has the fields.';

function invalid(path: string, why: string, cause?: unknown): Fault {
  const options = cause === undefined ? {} : { cause };
  const said = why.replace(/[.:]+$/, '');
  return new Fault('config-invalid', `${path} is no profile: ${said}.`, mendProfile, options);
}
