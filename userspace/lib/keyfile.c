// SPDX-License-Identifier: GPL-2.0
/*
 * Files of pre-shared keys, as daemon and tool read them: a line for each key,
 * NAME:KEY, the key in base64; empty lines, and comments that start with #. A
 * name may have several keys.
 *
 * What is wrong is told by the number of the line, as the line may be a key.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "keyfile.h"

static int check_private(int fd, const char *path, bool root_too,
			 struct reason *why)
{
	struct stat st;

	if (fstat(fd, &st))
		return reason_set(why, -errno, "%s: %m", path);
	if (!S_ISREG(st.st_mode))
		return reason_set(why, -EINVAL, "%s is not a regular file",
				  path);
	if (st.st_uid != geteuid() && !(root_too && !geteuid())) {
		reason_set(why, -EPERM, "%s belongs to user %u, not to user %u who reads it: not using its keys",
			   path, (unsigned int)st.st_uid,
			   (unsigned int)geteuid());
		reason_hint(why, "chown %u %s", (unsigned int)geteuid(), path);
		return -EPERM;
	}
	if (st.st_mode & (S_IRWXG | S_IRWXO)) {
		reason_set(why, -EPERM, "%s can be reached by others, its mode is %04o: not using its keys",
			   path, (unsigned int)st.st_mode & 07777);
		reason_hint(why, "chmod 600 %s, and make new keys if others may have read them",
			    path);
		return -EPERM;
	}
	return 0;
}

/**
 * keyfile_open() - open a file of keys that is nobody else's business
 * @path: the file
 * @root_too: root may use the files of others, as of the user that the daemon is
 * @why: set on failure
 *
 * Return: a file descriptor, or a negative errno; -EPERM if others may read it.
 */
int keyfile_open(const char *path, bool root_too, struct reason *why)
{
	/* Not to wait for the writer of a pipe. */
	CLEANUP_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int err;

	if (fd < 0) {
		err = reason_set(why, -errno, "cannot read the keys in %s: %m",
				 path);
		if (err == -ENOENT)
			reason_hint(why, "'rbdctl key generate NAME' makes keys");
		return err;
	}
	err = check_private(fd, path, root_too, why);
	return err ? err : take_fd(fd);
}

static int read_line(char *line, keyfile_take *take, void *data,
		     struct reason *why)
{
	struct secret secret = { .len = 0 };
	char *key;
	int err;

	line[strcspn(line, "\r")] = '\0';
	if (!*line || *line == '#')
		return 0;
	key = strchr(line, ':');
	if (!key)
		return reason_set(why, -EINVAL, "neither NAME:KEY nor a comment");
	*key++ = '\0';
	if (!secret_name_valid(line)) {
		reason_set(why, -EINVAL, "what stands before the colon cannot be a key's name");
		reason_hint(why, "up to %d letters, digits and . _ + -, a letter or digit first; not 'any' or 'none'",
			    RDMABLK_HOST_MAX - 1);
		return -EINVAL;
	}
	err = secret_parse(&secret, key, why);
	if (!err)
		err = take(data, line, &secret, why);
	secret_wipe(&secret);
	return err;
}

static int read_lines(char *text, size_t len, const char *path,
		      keyfile_take *take, void *data, struct reason *why)
{
	struct reason inner;
	unsigned int number;
	char *end;
	int err;

	for (number = 1; len; number++) {
		end = memchr(text, '\n', len);
		if (!end)
			end = text + len;
		*end = '\0';
		if (strlen(text) != (size_t)(end - text))
			err = reason_set(&inner, -EINVAL, "a NUL byte");
		else
			err = read_line(text, take, data, &inner);
		if (err) {
			reason_set(why, err, "%s:%u: %.300s", path, number,
				   inner.message);
			memcpy(why->hint, inner.hint, sizeof(why->hint));
			return err;
		}
		len -= (size_t)(end - text);
		/* Of the last line there may be no end. */
		if (len)
			len--;
		text = end + 1;
	}
	return 0;
}

/* Reads all of it, less than KEYFILE_MAX. Returns the bytes, or a negative errno. */
static ssize_t read_all(int fd, const char *path, char *buffer,
			struct reason *why)
{
	size_t len = 0;
	ssize_t got;

	do {
		got = read(fd, buffer + len, KEYFILE_MAX - len);
		if (got > 0)
			len += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		return reason_set(why, -errno, "cannot read the keys in %s: %m",
				  path);
	if (len == KEYFILE_MAX)
		return reason_set(why, -E2BIG, "%s is larger than 1 MiB: is it a file of keys?",
				  path);
	return (ssize_t)len;
}

/**
 * keyfile_read() - read keys
 * @fd: where from
 * @path: its name, for errors
 * @take: called for each key, in order; must copy what it keeps
 * @data: handed to @take
 * @why: set on failure; has no part of the file
 *
 * Return: 0; -EINVAL for a malformed line, what @take returned, or the negative
 * errno of a read error.
 */
int keyfile_read(int fd, const char *path, keyfile_take *take, void *data,
		 struct reason *why)
{
	char *buffer = secret_alloc(KEYFILE_MAX);
	ssize_t len;
	int err;

	if (!buffer)
		return reason_set(why, -ENOMEM, "out of memory");
	len = read_all(fd, path, buffer, why);
	if (len < 0)
		err = (int)len;
	else
		err = read_lines(buffer, (size_t)len, path, take, data, why);
	secret_free(buffer, KEYFILE_MAX);
	return err;
}
