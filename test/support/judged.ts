/**
 * How many cases each check of a run has judged. A check that meets no case finds nothing, whatever
 * is broken: a run names the checks that must have met some, and fails with those that met none.
 */
export class Judged<Check extends string> {
  readonly #times = new Map<Check, number>();

  note(check: Check, times = 1): void {
    this.#times.set(check, this.count(check) + times);
  }

  add(other: Judged<Check>): void {
    for (const [check, times] of other.#times) this.note(check, times);
  }

  count(check: Check): number {
    return this.#times.get(check) ?? 0;
  }

  /** Of the checks that must have met a case, those that met none: they have proven nothing. */
  listIdle(due: readonly Check[]): readonly string[] {
    const idle = due.filter((check) => this.count(check) === 0);
    return idle.map((check) => `nothing to judge: ${check}`);
  }

  /** By check, for a document. */
  countAll(checks: readonly Check[]): Readonly<Record<string, number>> {
    return Object.fromEntries(checks.map((check) => [check, this.count(check)]));
  }

  /** One line for each. */
  format(checks: readonly Check[]): string {
    const show = (check: Check): string => this.count(check).toLocaleString('en');
    return checks.map((check) => `${check}: ${show(check)} judged`).join('\n');
  }
}
