import type {
  backendReportSchema,
  dataReportSchema,
  doctorReportSchema,
  findingSchema,
  ledgerReportSchema,
  providerReportSchema,
  stateFolderReportSchema,
  teamReportSchema,
  terminalsReportSchema,
  waitingInboxSchema,
} from './schemas/doctor.ts';
import type { Document } from './schemas/document.ts';

/** What `doctor` found. */
export type DoctorReport = Document<typeof doctorReportSchema>;

/**
 * Of the ledger alone. `attention` is dead letters and uncertain messages (exit 7); `problems` is
 * what is broken (exit 1).
 */
export type LedgerReport = Document<typeof ledgerReportSchema>;

export type Finding = Document<typeof findingSchema>;

export type WaitingInbox = Document<typeof waitingInboxSchema>;

/** Of the default backend. */
export type TerminalsReport = Document<typeof terminalsReportSchema>;

export type BackendReport = Document<typeof backendReportSchema>;

export type StateFolderReport = Document<typeof stateFolderReportSchema>;

export type ProviderReport = Document<typeof providerReportSchema>;

/** The user's own detector rules and capabilities of one CLI. */
export type DataReport = Document<typeof dataReportSchema>;

/** Supervisor and workers were all of this CLI. */
export type TeamReport = Document<typeof teamReportSchema>;
