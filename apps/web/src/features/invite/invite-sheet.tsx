import { CopyButton } from '@krapao/ui/parts/copy-button.tsx';
import { Item } from '@krapao/ui/parts/item.tsx';
import { MessageBox } from '@krapao/ui/parts/message-box.tsx';
import { Sheet } from '@krapao/ui/parts/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { BannersFirst } from '../../platform/banners/banners-first.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { inviteLink } from './invite-link.ts';

/** The member's link, and that the programme is not open yet. */
export default function InviteSheet() {
  const { t } = useText();
  return (
    <BannersFirst place="invite" title={t('invite.title')}>
      <Invite />
    </BannersFirst>
  );
}

function Invite() {
  const { t } = useText();
  const { profile } = useKnownWallet();
  const link = inviteLink(profile._id);
  return (
    <Sheet title={t('invite.title')} onClose={closeSheet}>
      <MessageBox tone="info">{t('error.INVITE_INACTIVE')}</MessageBox>
      <div className={layout.card}>
        <Item
          over={t('invite.link')}
          title={link}
          trail={<CopyButton text={link} label={t('invite.link')} />}
        />
      </div>
    </Sheet>
  );
}
