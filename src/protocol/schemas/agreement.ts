/**
 * The command line takes the documents' types from `protocol/*.ts`, which cost nothing to load; the
 * daemon checks and describes them with schemas, which take 46 ms to load. `agree` keeps both the
 * same: it does not compile when one of them changes.
 */
export function agree<A, B>(..._proof: Agreement<A, B> extends true ? [] : [never]): void {
  // Types alone; nothing happens when it runs.
}

/**
 * Compared twice: an optional field that only one side has is seen only when all are required, and
 * the reverse.
 */
type Agreement<A, B> = Same<Plain<A>, Plain<B>> extends true ? Same<Full<A>, Full<B>> : false;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Without the differences that JSON does not know: readonly or not, absent or undefined. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<Exclude<T[Key], undefined>> }
    : T;

type Full<T> = T extends readonly (infer Item)[]
  ? Full<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]-?: Full<Exclude<T[Key], undefined>> }
    : T;
