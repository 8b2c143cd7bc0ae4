/** One screen of the bank app. */
import type { Html } from '../html.ts';
import type { IconName } from '../icons.ts';

export interface BankScreen {
  subtitle: string;
  /** Where the back arrow leads; none on the home screen. */
  back?: string;
  pill?: [IconName, string];
  body: Html;
}
