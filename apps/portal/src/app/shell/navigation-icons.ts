import {
  ArchiveRegular,
  ArrowCounterclockwiseRegular,
  CalendarClockRegular,
  DocumentTextRegular,
  HomeRegular,
  PeopleCommunityRegular,
  PulseRegular,
  QuestionCircleRegular,
  SearchRegular,
  SettingsRegular,
  ShieldCheckmarkRegular,
} from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { NavigationGroup } from '../route-table.ts';

/** The picture of each entry of the navigation. */
export const groupIcons: Readonly<Record<NavigationGroup, FluentIcon>> = {
  overview: HomeRegular,
  restore: ArrowCounterclockwiseRegular,
  people: PeopleCommunityRegular,
  search: SearchRegular,
  jobs: CalendarClockRegular,
  activity: PulseRegular,
  reports: DocumentTextRegular,
  archive: ArchiveRegular,
  compliance: ShieldCheckmarkRegular,
  configuration: SettingsRegular,
  help: QuestionCircleRegular,
};
