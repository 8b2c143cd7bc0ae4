import { I18n } from '@krapao/ui/text/i18n.ts';
import type {} from '../locales/message-ids.gen.ts';

/** The texts of this page load. */
export const i18n = new I18n();
