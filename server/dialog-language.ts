import { createLocalize, type Localize } from '../capabilities/execution/confirmation-messages';
import chinese from '../l10n/confirmation.zh-cn.json';

/** Words of the confirmation dialog for a display language such as `en` or `zh-cn`. */
export function dialogLanguage(locale: string): Localize {
  return createLocalize(locale.toLowerCase().startsWith('zh') ? chinese : {});
}
