import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Lettuce's own stream commands for clients.py: a line of words for a command, lines of words and an empty line for its
 * result. Every word is base64.
 */
public class LettuceClient {
  private static RedisCommands<byte[], byte[]> redis;

  public static void main(String[] args) throws Exception {
    RedisClient client = RedisClient.create(args[0]);
    redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      List<byte[]> words = new ArrayList<>();
      for (String word : line.split(" ", -1)) words.add(Base64.getDecoder().decode(word));
      for (List<byte[]> result : run(words)) System.out.println(encode(result));
      System.out.println();
      System.out.flush();
    }
    client.shutdown(Duration.ZERO, Duration.ZERO);
  }

  private static List<List<byte[]>> run(List<byte[]> words) {
    String command = text(words.get(0));
    byte[] key = words.get(1);
    byte[] group = words.size() > 2 ? words.get(2) : null;
    switch (command) {
      case "xadd":
        Object[] fields = words.subList(3, words.size()).toArray();
        return one(redis.xadd(key, new XAddArgs().id(text(words.get(2))), fields));
      case "xrange":
        return entries(redis.xrange(key, Range.create("-", "+")));
      case "xgroup_create":
        return one(redis.xgroupCreate(StreamOffset.from(key, text(words.get(3))), group, new XGroupCreateArgs()));
      case "xreadgroup":
        Consumer<byte[]> reader = Consumer.from(group, words.get(3));
        return entries(redis.xreadgroup(reader, StreamOffset.from(key, text(words.get(4)))));
      case "xack":
        return one(String.valueOf(redis.xack(key, group, texts(words, 3))));
      case "xpending":
        List<List<byte[]>> pending = new ArrayList<>();
        redis.xpending(key, group, Range.create("-", "+"), Limit.from(100)).forEach((one) ->
          pending.add(List.of(bytes(one.getId()), bytes(one.getConsumer()), bytes("" + one.getRedeliveryCount()))));
        return pending;
      case "xclaim":
        return entries(redis.xclaim(key, Consumer.from(group, words.get(3)), 0, texts(words, 4)));
      case "xautoclaim":
        Consumer<byte[]> claimer = Consumer.from(group, words.get(3));
        return entries(redis.xautoclaim(key, XAutoClaimArgs.Builder.xautoclaim(claimer, 0, "0")).getMessages());
      default:
        throw new IllegalArgumentException(command);
    }
  }

  /** A line for each entry: its id, then its fields and values. */
  private static List<List<byte[]>> entries(List<StreamMessage<byte[], byte[]>> messages) {
    List<List<byte[]>> lines = new ArrayList<>();
    for (StreamMessage<byte[], byte[]> message : messages) {
      List<byte[]> line = new ArrayList<>(List.of(bytes(message.getId())));
      if (message.getBody() != null) message.getBody().forEach((field, value) -> line.addAll(List.of(field, value)));
      lines.add(line);
    }
    return lines;
  }

  private static List<List<byte[]>> one(String word) {
    return List.of(List.of(bytes(word)));
  }

  private static String[] texts(List<byte[]> words, int from) {
    return words.subList(from, words.size()).stream().map(LettuceClient::text).toArray(String[]::new);
  }

  private static String encode(List<byte[]> words) {
    return String.join(" ", words.stream().map((word) -> Base64.getEncoder().encodeToString(word)).toList());
  }

  private static byte[] bytes(String word) {
    return word.getBytes(UTF_8);
  }

  private static String text(byte[] word) {
    return new String(word, UTF_8);
  }
}
