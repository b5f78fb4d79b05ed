import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { CloudRegular, MailRegular, PeopleTeamRegular, ShareRegular } from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { Workload } from '@holdfast/contract/values';
import type { ReactElement } from 'react';

const icons: Readonly<Record<Workload, FluentIcon>> = {
  exchange: MailRegular,
  onedrive: CloudRegular,
  sharepoint: ShareRegular,
  teams: PeopleTeamRegular,
};

/** The colour of each workload, everywhere the same. */
export const workloadColours: Readonly<Record<Workload, string>> = {
  exchange: tokens.colorPaletteRoyalBlueBorderActive,
  onedrive: tokens.colorPaletteBlueBorderActive,
  sharepoint: tokens.colorPaletteTealBorderActive,
  teams: tokens.colorPaletteLavenderBorderActive,
};

const useStyles = makeStyles({
  icon: { flexShrink: 0, fontSize: '20px' },
  exchange: { color: workloadColours.exchange },
  onedrive: { color: workloadColours.onedrive },
  sharepoint: { color: workloadColours.sharepoint },
  teams: { color: workloadColours.teams },
});

/** The picture of a workload, beside its name. */
export function WorkloadIcon({ workload }: { readonly workload: Workload }): ReactElement {
  const styles = useStyles();
  const Icon = icons[workload];
  return <Icon aria-hidden className={mergeClasses(styles.icon, styles[workload])} />;
}
