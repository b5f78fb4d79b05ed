import { jobTypes, retentionRule, type RetentionRule } from '@holdfast/contract/jobs';
import { completeSchedule, schedule, type Schedule } from '@holdfast/contract/jobs/schedule';
import type { ProcedureChange } from '@holdfast/contract/procedures';
import { policyPeriod, type PolicyPeriod } from '@holdfast/contract/retention';
import { workloads } from '@holdfast/contract/values';
import { fill, phrasesOf, type Language } from '../../http/language.ts';
import { kindOf, reportWords, type ReportWords } from '../period-reports/index.ts';

type Part = ProcedureChange['part'];

/** One or many, as the plural forms of a phrase want it. */
const counted = (one: string, other: string, count: number): string => fill(count === 1 ? one : other, { count });

function scheduleWords(given: Schedule, { phrases: { jobs, kit }, date }: ReportWords): string {
  const days = [kit.monday, kit.tuesday, kit.wednesday, kit.thursday, kit.friday, kit.saturday, kit.sunday];
  const zone = 'timeZone' in given ? ` (${given.timeZone})` : '';
  switch (given.mode) {
    case 'afterCreation':
      return jobs.afterCreation;
    case 'daily':
      return `${fill(jobs.dailyAt, { time: given.time })}${zone}`;
    case 'weekly': {
      const chosen = given.weekdays.toSorted((a, b) => a - b).map((day) => days[day - 1]);
      return `${fill(jobs.weeklyAt, { days: chosen.join(', '), time: given.time })}${zone}`;
    }
    case 'date':
      return `${fill(jobs.dateAt, { date: date(`${given.date}T12:00:00Z`), time: given.time })}${zone}`;
    case 'interval':
      return counted(jobs.everyN_one, jobs.everyN_other, given.everyMinutes);
    case 'disabled':
      return jobs.modeDisabled;
  }
}

function retentionWords(rule: RetentionRule, { phrases: { jobs } }: ReportWords): string {
  switch (rule.mode) {
    case 'all':
      return jobs.retentionAll;
    case 'days':
      return counted(jobs.keptDays_one, jobs.keptDays_other, rule.days);
    case 'count':
      return counted(jobs.keptCount_one, jobs.keptCount_other, rule.count);
    case 'gfs':
      return fill(jobs.keptParts, rule);
  }
}

/** `10 years from the end of the calendar year · Receipt` */
function periodWords({ about, length, maximum, start, anchor, eventKind }: PolicyPeriod, { phrases: { retention } }: ReportWords): string {
  const { lengths, anchors, lastChange, eventKinds, startWords, periodOf, atMost, atLeastAtMost } = retention;
  const anchored = about === 'files' && anchor === 'received' ? lastChange : anchors[anchor];
  const said = (span: PolicyPeriod['length']): string =>
    span === null ? '' : counted(lengths[`${span.unit}_one`], lengths[`${span.unit}_other`], span.amount);
  const words = { minimum: said(length), maximum: said(maximum) };
  return fill(periodOf, {
    length: maximum === null ? words.minimum : fill(length === null ? atMost : atLeastAtMost, words),
    start: startWords[start],
    anchor: eventKind === null ? anchored : eventKinds[eventKind],
  });
}

/** What a value that is kept as JSON says; undefined for one that an earlier version wrote otherwise. */
function parsed<Value>(schema: { safeParse(value: unknown): { data?: Value } }, json: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** The words for settings that are one of a few, by the field that they are kept under. */
function choicesOf(part: Part, { phrases }: ReportWords): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { audit, common, jobs, members, periodReports, proxyRights, retention, tenants } = phrases;
  return {
    contentAccess: { open: members.openAccess, strict: members.strictAccess },
    notice: { true: audit.values.yes, false: audit.values.no },
    credential: { secret: tenants.secret, certificate: tenants.certificate },
    use: { backup: tenants.useBackup, archive: tenants.useArchive, both: tenants.useBoth },
    lock: { none: tenants.lockNone, governance: tenants.lockGovernance, compliance: tenants.lockCompliance },
    workload: { exchange: common.exchange, onedrive: common.onedrive, sharepoint: common.sharepoint, teams: common.teams },
    approval: jobs.approvals,
    role: audit.values.role,
    target: { everyone: proxyRights.everyone },
    may: { read: proxyRights.read, export: proxyRights.export, restore: proxyRights.restore },
    ...(part === 'policies' ? { subject: { everything: retention.scopes.everything }, approver: { delay: periodReports.byDelay } } : {}),
    ...(part === 'locations' ? { kind: { filesystem: tenants.filesystem, s3: tenants.s3 } } : {}),
  };
}

/** What a setting says to its readers: the words of the portal for what the tables keep as codes, JSON and moments. */
export function settingWords(language: Language, timeZone: string): (part: Part, field: string, value: string) => string {
  const words = reportWords(language, timeZone);
  const dated = (value: string): string => (Number.isNaN(Date.parse(value)) ? value : words.date(value));

  function ofJob(field: string, value: string): string | undefined {
    if (field === 'kind') {
      const type = jobTypes.find((known) => known === value);
      return type && kindOf(words, type);
    }
    const when = field === 'schedule' ? parsed(schedule, value) : undefined;
    if (when) return scheduleWords(completeSchedule(when), words);
    const rule = field === 'retention' ? parsed(retentionRule, value) : undefined;
    return rule && retentionWords(rule, words);
  }

  function ofPolicy(field: string, value: string): string | undefined {
    if (field === 'fiscalYearEnd') return words.month(Number(value));
    const period = field === 'period' ? parsed(policyPeriod, value) : undefined;
    return period && periodWords(period, words);
  }

  function special(part: Part, field: string, value: string): string | undefined {
    if (field === 'until' || field === 'since') return dated(value);
    if (part === 'settings') return choicesOf(part, words)['notice']?.[value] ?? value;
    if (part === 'jobs') return ofJob(field, value);
    return part === 'policies' ? ofPolicy(field, value) : undefined;
  }

  return (part, field, value) => {
    if (value === '') return '–';
    const choices = choicesOf(part, words)[field];
    const chosen = field === 'may' ? value.split(', ').map((one) => choices?.[one] ?? one) : [choices?.[value] ?? value];
    return special(part, field, value) ?? chosen.join(', ');
  };
}

/** The name of a backup setting, which is kept under its workload: `teams.includeChats`. */
function backupSettingWord(language: Language, field: string): string | undefined {
  const { common, configuration } = phrasesOf(language);
  const [name = '', setting = ''] = field.split('.');
  const workload = workloads.find((one) => one === name);
  if (workload === undefined) return field === 'excludedFolders' ? configuration.excludedFolders : undefined;
  if (setting === 'enabled') return fill(configuration.enabled, { workload: common[workload] });
  const words: Readonly<Record<string, string>> = {
    protectNewResources: configuration.protectNew,
    includeRecoverableItems: configuration.includeRecoverable,
    versions: configuration.versions,
    includePermissions: configuration.includePermissions,
    includeChats: configuration.includeChats,
    includePrivateChannels: configuration.includePrivate,
  };
  return `${common[workload]}: ${words[setting] ?? setting}`;
}

/** The name of a setting; the one it is kept under for one without words. */
export function fieldWord(language: Language, field: string): string {
  const { procedures, common } = phrasesOf(language);
  const words: Readonly<Record<string, string>> = { ...procedures.fields, name: common.name };
  return words[field] ?? backupSettingWord(language, field) ?? field;
}
