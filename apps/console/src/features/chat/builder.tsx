import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Image, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { UploadButton } from '../../components/upload-button.tsx';
import { BUTTONS_MAX, type Built, isLinkGood, type MessageFields, wiredOf } from './build.ts';
import type { ChatButton, MessageContent } from './types.ts';
import { uploadFile } from './upload-file.ts';

const TYPES = ['web', 'call', 'postback', 'other'] as const;
/** What is written beside a kind of button. */
const HINT: Partial<Record<ChatButton['type'], string>> = { web: '/user/statement', call: '021234567' };
const NOTHING: ChatButton = { title: '', type: 'web', payload: '' };

function ButtonFields({
  of: button,
  isReply,
  onChange,
  onRemove,
}: {
  of: ChatButton;
  isReply: boolean;
  onChange: (button: ChatButton) => void;
  onRemove: () => void;
}) {
  const { t } = useText();
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <TextInput
        label={t('chats.buttonTitle')}
        required
        maxLength={80}
        value={button.title}
        onChange={(event) => onChange({ ...button, title: event.currentTarget.value })}
        style={{ flex: 1 }}
      />
      {!isReply && (
        <>
          <Select
            label={t('chats.buttonType')}
            data={TYPES.map((value) => ({ value, label: t(`chatButton.${value}`) }))}
            value={button.type}
            allowDeselect={false}
            w={130}
            onChange={(type) => onChange({ ...button, type: type as ChatButton['type'] })}
          />
          <TextInput
            label={t('chats.buttonPayload')}
            placeholder={HINT[button.type]}
            error={button.payload !== '' && !isLinkGood(button) ? t('chats.badLink') : undefined}
            maxLength={1000}
            value={button.payload}
            onChange={(event) => onChange({ ...button, payload: event.currentTarget.value })}
            style={{ flex: 1 }}
          />
        </>
      )}
      <Button
        variant="subtle"
        mt={24}
        onClick={onRemove}
        aria-label={`${t('chats.removeButton')} ${button.title}`}
      >
        <Icon of={Trash2} size={16} />
      </Button>
    </Group>
  );
}

/** A card's picture, uploaded when it is chosen and shown as the customer will see it. */
function CardPicture({ picture, onChange }: { picture: string; onChange: (picture: string) => void }) {
  const { t } = useText();
  return (
    <Stack gap="xs" align="flex-start">
      {picture && <Image src={picture} alt={t('chats.cardPicture')} h={120} w="auto" radius="sm" />}
      <Group gap="xs">
        <UploadButton
          label={t('chats.choosePicture')}
          accept="image/png,image/jpeg,image/gif"
          onFile={async (file) => onChange((await uploadFile(file)).path)}
        />
        {picture && (
          <Button variant="subtle" onClick={() => onChange('')}>
            {t('chats.removePicture')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function MessageTextFields({
  kind,
  of: texts,
  onChange,
}: {
  kind: Built;
  of: MessageFields;
  onChange: (texts: MessageFields) => void;
}) {
  const { t } = useText();
  const isCard = kind === 'generic';
  return (
    <>
      <Textarea
        label={isCard ? t('chats.cardTitle') : t('chats.text')}
        required
        autosize
        minRows={1}
        maxLength={isCard ? 120 : 2000}
        value={texts.message}
        onChange={(event) => onChange({ ...texts, message: event.currentTarget.value })}
      />
      {isCard && (
        <TextInput
          label={t('chats.cardSubtitle')}
          maxLength={300}
          value={texts.subtitle}
          onChange={(event) => onChange({ ...texts, subtitle: event.currentTarget.value })}
        />
      )}
      {isCard && (
        <CardPicture picture={texts.picture} onChange={(picture) => onChange({ ...texts, picture })} />
      )}
    </>
  );
}

/** Puts a message with buttons, quick replies or a card together. */
export function Builder({
  kind,
  onSend,
  onClose,
}: {
  kind: Built;
  onSend: (message: MessageContent) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const [texts, setFields] = useState<MessageFields>({ message: '', subtitle: '', picture: '' });
  const [buttons, setButtons] = useState<ChatButton[]>([NOTHING]);
  const content = wiredOf(kind, texts, buttons);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!content) return;
    onSend(content);
    onClose();
  };
  return (
    <Dialog onClose={onClose} size="lg" title={t(`chatKind.${kind}`)}>
      <form onSubmit={submit}>
        <Stack>
          <MessageTextFields kind={kind} of={texts} onChange={setFields} />
          {buttons.map((button, index) => (
            <ButtonFields
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no name but their place
              key={index}
              of={button}
              isReply={kind === 'quick_replies'}
              onChange={(next) => setButtons(buttons.with(index, next))}
              onRemove={() => setButtons(buttons.toSpliced(index, 1))}
            />
          ))}
          <Group justify="space-between">
            <Button
              variant="default"
              leftSection={<Icon of={Plus} size={16} />}
              disabled={buttons.length >= BUTTONS_MAX}
              onClick={() => setButtons([...buttons, NOTHING])}
            >
              {t('chats.addButton')}
            </Button>
            <Button type="submit" disabled={!content}>
              {t('chats.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
