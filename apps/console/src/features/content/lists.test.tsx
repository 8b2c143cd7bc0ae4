import type { OperatorApi } from '@krapao/contract/operator';
import { localized } from '@krapao/contract/shared';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { BannerLists } from './banners.tsx';
import { ChoiceLists } from './choices.tsx';
import { GuideList } from './guides.tsx';

const FAILED = 'INTERNAL_SERVER_ERROR';
const app = await consoleApp();
const { t } = i18n;

const GUIDE: OperatorApi['GET /api/operator/guides']['reply']['guides'][number] = {
  name: 'deposit',
  titles: localized(() => ''),
  video: null,
  isOpen: true,
  version: 1,
};

const LISTS = [
  {
    name: 'banners',
    call: 'GET /api/operator/banners' as const,
    reply: () => app.reply('GET /api/operator/banners', { banners: [] }),
    page: <BannerLists />,
    open: () => fireEvent.click(screen.getAllByRole('button', { name: t('banner.add') })[0]!),
  },
  {
    name: 'guides',
    call: 'GET /api/operator/guides' as const,
    reply: () => app.reply('GET /api/operator/guides', { guides: [GUIDE] }),
    page: <GuideList />,
    open: () => press(new RegExp(`^${t('content.change')}`)),
  },
  {
    name: 'choices',
    call: 'GET /api/operator/choices' as const,
    reply: () => app.reply('GET /api/operator/choices', { sources: [], banks: [] }),
    page: <ChoiceLists />,
    open: () => press(t('content.add-sources')),
  },
];

test.each(LISTS)(
  'a failed background reading of $name leaves the dialog and what is typed in it',
  async (list) => {
    list.reply();
    app.show(list.page);
    await screen.findAllByRole('button');
    list.open();
    await screen.findByRole('dialog');
    const reason = () => screen.getByLabelText<HTMLTextAreaElement>(new RegExp(t('field.reason')));
    type(new RegExp(t('field.reason')), 'new season');
    app.refuse(list.call, FAILED, {}, 503);
    await queries.invalidateQueries({ queryKey: ['content'] });
    await screen.findByText(refusal(FAILED));
    expect(reason().value).toBe('new season');
  },
);

test.each(LISTS)('$name that cannot be read are an error and a button that reads again', async (list) => {
  app.refuse(list.call, FAILED, {}, 503);
  app.show(list.page);
  await screen.findByText(refusal(FAILED));
  list.reply();
  press(t('btn.retry'));
  await screen.findAllByRole('region');
});

test('a text typed while a picture of the banner is uploaded stays beside the picture', async () => {
  const UPLOAD = 'POST /api/operator/content-file';
  app.reply('GET /api/operator/banners', { banners: [] });
  app.show(<BannerLists />);
  fireEvent.click((await screen.findAllByRole('button', { name: t('banner.add') }))[0]!);
  const dialog = await screen.findByRole('dialog');
  app.reply(UPLOAD, { id: 'P1', path: '/api/content/P1.jpg', type: 'image/jpeg' });
  const upload = app.hold(UPLOAD);
  const file = new File(['picture'], 'banner.jpg', { type: 'image/jpeg' });
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
  await waitFor(() => expect(app.received(UPLOAD)).toHaveLength(1));
  type(t('banner.html'), 'Songkran');
  upload();
  await waitFor(() => expect(dialog.querySelector('img')).not.toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>(t('banner.html')).value).toBe('Songkran');
});

test('a picture whose upload gets no response is reported as such', async () => {
  app.reply('GET /api/operator/banners', { banners: [] });
  app.show(<BannerLists />);
  fireEvent.click((await screen.findAllByRole('button', { name: t('banner.add') }))[0]!);
  await screen.findByRole('dialog');
  app.dropConnection('POST /api/operator/content-file');
  const file = new File(['picture'], 'banner.jpg', { type: 'image/jpeg' });
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
  await noticed(refusal('network'));
});
